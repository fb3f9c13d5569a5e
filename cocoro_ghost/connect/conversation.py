"""What is new in a history that is sent again: a pure function over (stored turns, sent messages).

Clients without state send everything each time. By their ids where they send any, else by comparing, it is
told whether something new was said, an old reply is wanted anew, an old message was changed, the talk goes on
from an earlier place, a reply is to be continued, or the history is none of ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from cocoro_ghost.connect.messages import ChatMessage, comparable, is_note
from cocoro_ghost.errors import BadInput
from cocoro_ghost.model.client_turn import ClientTurn, Standing


class Kind(StrEnum):
    NEW = "new"
    REGENERATE = "regenerate"
    EDIT = "edit"
    BRANCH = "branch"
    CONTINUE = "continue"
    FOREIGN = "foreign"


@dataclass(frozen=True, slots=True)
class MessageIds:
    """The client's own ids of the person's message and of the reply before it.

    A parent that is empty says that the message is the first; None, that the client sends no parents.
    """

    message_id: str | None = None
    parent_id: str | None = None


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a request asks for. `event_id`: the turn answered anew, changed, continued or branched from."""

    kind: Kind
    message: ChatMessage
    event_id: int | None = None
    left: tuple[int, ...] = ()
    """Turns that are off the branch now spoken on; they stay, and come back when the person goes back."""
    back: tuple[int, ...] = ()
    """Turns of another branch that are spoken on again."""
    rewritten: str = ""
    """The reply before, where the person changed our words in the client: ours stay, theirs are a hint."""


@dataclass(frozen=True, slots=True)
class _Exchange:
    """One message of the person in the sent history with the replies that followed it."""

    message: ChatMessage
    replies: tuple[str, ...] = ()


AGAIN_SECONDS = 3600
"""A first message sent once more within this time wants another reply; later it begins another talk."""
FOREIGN_TURNS = 2
"""So many old exchanges of which none is known make a history another's."""


def meaning_of(
    stored: Sequence[ClientTurn],
    messages: Sequence[ChatMessage],
    ids: MessageIds | None = None,
    *,
    continues: bool = False,
    resends: bool = True,
) -> Meaning:
    """Raises BadInput when nobody says anything in the messages.

    `resends`: the client sends its whole history; a lone message of one that does not adds to the talk.
    """
    sent = _exchanges(messages)
    if not sent:
        raise BadInput("There is no message of a user in `messages`.")
    last = sent[-1]
    if continues or (last.replies and _is_prefilled(messages)):
        return _continued(stored, last, ids)
    if ids is not None and (known := _by_id(stored, ids, sent)) is not None:
        return replace(known, rewritten=_rewritten(stored, sent))
    if not resends and len(sent) == 1 and not (stored and _same_words(stored[-1], last)):
        return Meaning(Kind.NEW, last.message)
    return replace(_by_comparing(stored, sent), rewritten=_rewritten(stored, sent))


def _rewritten(stored: Sequence[ClientTurn], sent: Sequence[_Exchange]) -> str:
    """The client's words of the reply before the last message, where they are none we ever said there."""
    if len(sent) < 2 or not sent[-2].replies:
        return ""
    told = sent[-2].replies[-1]
    turn = next((one for one in reversed(stored) if _same_words(one, sent[-2])), None)
    if turn is None or not turn.reply_text:
        return ""
    ours, theirs = comparable(turn.reply_text), comparable(told)
    # A stop string, a limit of the client or a broken line leave less of ours: that is no other wording.
    return "" if not theirs or theirs in ours or ours in theirs else told


def conversation_of(turns: Sequence[ClientTurn], messages: Sequence[ChatMessage], now: int) -> str | None:
    """Which known talk a history without a name belongs to; None when it begins another one.

    The newest exchange before the last message tells: it is among our turns, or the talk is not ours yet.
    """
    sent = _exchanges(messages)
    if not sent:
        return None
    if len(sent) > 1:
        newest = next((turn for turn in reversed(turns) if _same_words(turn, sent[-2])), None)
        if newest is not None:
            return newest.conversation
        known = {comparable(turn.user_text): turn.conversation for turn in turns}
        found = (known.get(comparable(one.message.text)) for one in reversed(sent[:-2]))
        return next((one for one in found if one is not None), None)
    if not turns:
        return None
    newest = turns[-1]
    alone = sum(turn.conversation == newest.conversation for turn in turns) == 1
    recent = now - newest.created_at <= AGAIN_SECONDS
    return newest.conversation if alone and recent and _same_words(newest, sent[0]) else None


def _exchanges(messages: Sequence[ChatMessage]) -> list[_Exchange]:
    """Messages of one side in a row belong together; what stands before the person's first is a greeting."""
    found: list[_Exchange] = []
    for message in messages:
        if message.role == "user" and not is_note(message.text):
            # No reply came in between (a call that failed): the client shows both as one thing said.
            if found and not found[-1].replies:
                before = found.pop().message
                joined = "\n".join(part for part in (before.text, message.text) if part)
                message = ChatMessage("user", joined, (*before.images, *message.images))
            found.append(_Exchange(message))
        elif message.role == "assistant" and found and message.text:
            found[-1] = _Exchange(found[-1].message, (*found[-1].replies, message.text))
    return found


def _is_prefilled(messages: Sequence[ChatMessage]) -> bool:
    """Whether a reply comes last, to be gone on with; one that a tool has answered does not."""
    spoken = [one for one in messages if one.role != "system"]
    return bool(spoken) and spoken[-1].role == "assistant"


def _by_id(stored: Sequence[ClientTurn], ids: MessageIds, sent: Sequence[_Exchange]) -> Meaning | None:
    """The same message again wants another reply; another message after the same reply is a changed one."""
    last = sent[-1].message
    if ids.message_id is None:
        return _by_parent(stored, ids.parent_id, sent[-1])
    for turn in reversed(stored):
        if turn.message_id == ids.message_id:
            same = comparable(turn.user_text) == comparable(last.text)
            kind = Kind.REGENERATE if same else Kind.EDIT
            return Meaning(kind, last, turn.event_id, left=_later(stored, turn))
    if ids.parent_id is None:
        # A client that sends no parents: with a history, comparing tells; without, the id itself is new.
        return Meaning(Kind.NEW, last) if len(sent) == 1 else None
    for turn in reversed(stored):
        if turn.message_id is not None and turn.parent_id == ids.parent_id:
            return Meaning(Kind.EDIT, last, turn.event_id, left=_later(stored, turn))
    newest = next((turn for turn in reversed(stored) if turn.standing is Standing.CURRENT), None)
    if newest is None or newest.reply_id == ids.parent_id:
        return Meaning(Kind.NEW, last)
    # Said after a reply that is not the newest: an older branch, or turns that never came here.
    return None


def _by_parent(stored: Sequence[ClientTurn], parent_id: str | None, last: _Exchange) -> Meaning | None:
    """LibreChat names a message anew when it is answered anew; the reply it follows keeps its name."""
    after = [turn for turn in reversed(stored) if parent_id and turn.parent_id == parent_id]
    if not after:
        return None
    same = next((turn for turn in after if _same_words(turn, last)), None)
    turn = same or after[0]
    kind = Kind.EDIT if same is None else Kind.REGENERATE
    back = (turn.event_id,) if turn.standing is Standing.OTHER_BRANCH else ()
    return Meaning(kind, last.message, turn.event_id, left=_later(stored, turn), back=back)


def _later(stored: Sequence[ClientTurn], turn: ClientTurn) -> tuple[int, ...]:
    return tuple(
        one.event_id
        for one in stored
        if one.event_id > turn.event_id and one.standing is not Standing.OTHER_BRANCH
    )


def _continued(stored: Sequence[ClientTurn], last: _Exchange, ids: MessageIds | None) -> Meaning:
    wanted, message_id = comparable(last.message.text), None if ids is None else ids.message_id
    for turn in reversed(stored):
        if (message_id and turn.message_id == message_id) or comparable(turn.user_text) == wanted:
            return Meaning(Kind.CONTINUE, last.message, turn.event_id)
    return Meaning(Kind.CONTINUE, last.message)


def _by_comparing(stored: Sequence[ClientTurn], sent: Sequence[_Exchange]) -> Meaning:
    *before, last = sent
    current = [turn for turn in stored if turn.standing is not Standing.OTHER_BRANCH]
    path = _path(stored, before)
    if path is None:
        kind = Kind.FOREIGN if len(before) > FOREIGN_TURNS or current else Kind.NEW
        return Meaning(kind, last.message)
    if any(turn.standing is Standing.OTHER_BRANCH for turn in path):
        off = _off(current, path, whole=len(path) == len(before))
        return _back(stored, path, last, off) or Meaning(
            Kind.NEW, last.message, left=_ids(off), back=_left_on(path)
        )
    return _on_the_current(stored, path, last, _after(current, path))


def _on_the_current(
    stored: Sequence[ClientTurn], path: Sequence[ClientTurn], last: _Exchange, after: list[ClientTurn]
) -> Meaning:
    """Something new at the end of the branch spoken on; else its next turn again, or another in its place."""
    if after and _same_words(after[0], last):
        return Meaning(Kind.REGENERATE, last.message, after[0].event_id, left=_ids(after[1:]))
    # Before anything is taken for changed: who goes back to a branch and asks there again changed nothing.
    if (again := _back(stored, path, last, after)) is not None:
        return again
    if not after:
        return Meaning(Kind.NEW, last.message)
    if len(after) == 1:
        return Meaning(Kind.EDIT, last.message, after[0].event_id)
    return Meaning(Kind.BRANCH, last.message, path[-1].event_id if path else None, left=_ids(after))


def _back(
    stored: Sequence[ClientTurn], path: Sequence[ClientTurn], last: _Exchange, off: Sequence[ClientTurn]
) -> Meaning | None:
    """A turn of another branch asked again: it is spoken on once more, and what is off it is left."""
    again = next((turn for turn in _following(stored, path) if _same_words(turn, last)), None)
    if again is None:
        return None
    there = (*_left_on(path), again.event_id)
    return Meaning(Kind.REGENERATE, last.message, again.event_id, left=_ids(off), back=there)


def _ids(turns: Sequence[ClientTurn]) -> tuple[int, ...]:
    return tuple(turn.event_id for turn in turns)


def _left_on(path: Sequence[ClientTurn]) -> tuple[int, ...]:
    """Turns of a path that were left and are spoken on again."""
    return tuple(turn.event_id for turn in path if turn.standing is Standing.OTHER_BRANCH)


def _off(current: list[ClientTurn], path: Sequence[ClientTurn], *, whole: bool) -> list[ClientTurn]:
    """What is no longer spoken on, where a path leads over a branch that was left: all after its fork."""
    on = {turn.event_id for turn in path}
    first = next(at for at, turn in enumerate(path) if turn.standing is Standing.OTHER_BRANCH)
    # Of a history whose beginning was cut off nothing is known before it: that stays as it is.
    fork = path[first - 1].event_id if first else 0 if whole else path[0].event_id
    return [turn for turn in current if turn.event_id > fork and turn.event_id not in on]


def _after(current: list[ClientTurn], path: Sequence[ClientTurn]) -> list[ClientTurn]:
    """What came after the end of a path; nothing after one that is left."""
    if not path:
        return current
    return current[current.index(path[-1]) + 1 :] if path[-1] in current else []


def _same_words(turn: ClientTurn, exchange: _Exchange) -> bool:
    if turn.user_text == exchange.message.text:
        return True
    return comparable(turn.user_text) == comparable(exchange.message.text)


def _path(stored: Sequence[ClientTurn], before: Sequence[_Exchange]) -> list[ClientTurn] | None:
    """The stored turns that the sent exchanges are, in order; None when the newest sent one is none of them.

    A client may have cut the beginning off: it is enough that what it sends ends with turns we know.
    """
    path: list[ClientTurn] = []
    limit = len(stored)
    # From the newest back: clients cut their history off at the beginning.
    for exchange in reversed(before):
        found = next((at for at in range(limit - 1, -1, -1) if _same_words(stored[at], exchange)), None)
        if found is None:
            break
        path.insert(0, stored[found])
        limit = found
    return path if path or not before else None


def _following(stored: Sequence[ClientTurn], path: Sequence[ClientTurn]) -> Sequence[ClientTurn]:
    """Turns of other branches that came right after the end of a path."""
    start = path[-1].event_id if path else 0
    return [t for t in stored if t.event_id > start and t.standing is Standing.OTHER_BRANCH]
