"""Clients that send everything again, by property: whatever they do, the ghost is on the branch they show."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cocoro_ghost.connect.client_tools import MAX_TOOLS, calls_in, steps_in, tools_in
from cocoro_ghost.connect.conversation import Kind, MessageIds, conversation_of, meaning_of
from cocoro_ghost.connect.messages import (
    MAX_MESSAGES,
    ChatMessage,
    comparable,
    is_note,
    own_words,
    parse_messages,
    system_text,
)
from cocoro_ghost.errors import BadInput
from cocoro_ghost.model.client_turn import ClientTurn, Standing

MANY = settings(
    max_examples=60, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
CURRENT, LEFT = Standing.CURRENT, Standing.OTHER_BRANCH


@dataclass
class Node:
    """One exchange as the client shows it."""

    text: str
    event_id: int
    before: Node | None = None


@dataclass
class Client:
    """A client that keeps a tree of messages and sends the path it shows; the ghost beside it keeps turns."""

    turns: list[ClientTurn] = field(default_factory=list)
    nodes: list[Node] = field(default_factory=list)
    shown: Node | None = None
    said: int = 0

    def path(self) -> list[Node]:
        found: list[Node] = []
        node = self.shown
        while node is not None:
            found.insert(0, node)
            node = node.before
        return found

    def say(self, text: str, before: list[Node], kind: Kind, *, cut: int = 0) -> None:
        """Sends a path and one more message, and does what the ghost made of it."""
        messages = [ChatMessage("system", "You are a character.")]
        for node in before[cut:]:
            messages += [ChatMessage("user", node.text), ChatMessage("assistant", f"reply to {node.text}")]
        meaning = meaning_of(self.turns, [*messages, ChatMessage("user", text)])
        assert meaning.kind is kind, (meaning, [node.text for node in before], text)
        assert meaning.message.text == text
        known = {turn.event_id for turn in self.turns}
        assert set(meaning.left) | set(meaning.back) <= known
        assert not set(meaning.left) & set(meaning.back)
        for event_id in meaning.left:
            self._stands(event_id, LEFT)
        for event_id in meaning.back:
            self._stands(event_id, CURRENT)
        parent = before[-1] if before else None
        if meaning.kind is Kind.REGENERATE:
            self.shown = next(node for node in self.nodes if node.event_id == meaning.event_id)
            return
        if meaning.kind is Kind.EDIT:
            self.turns = [turn for turn in self.turns if turn.event_id != meaning.event_id]
            self.nodes = [node for node in self.nodes if node.event_id != meaning.event_id]
        self.said += 1
        self.turns.append(
            ClientTurn(self.said, text, f"reply to {text}", conversation="c", created_at=self.said)
        )
        self.nodes.append(Node(text, self.said, parent))
        self.shown = self.nodes[-1]

    def _stands(self, event_id: int, standing: Standing) -> None:
        self.turns = [
            replace(turn, standing=standing) if turn.event_id == event_id else turn for turn in self.turns
        ]

    def agrees(self) -> None:
        """What the ghost holds for the talk is what the client shows, in that order."""
        current = [turn.event_id for turn in self.turns if turn.standing is CURRENT]
        assert current == [node.event_id for node in self.path()]

    def new_text(self) -> str:
        return f"こと{self.said} thing"

    def leaves(self) -> list[Node]:
        inner = {id(node.before) for node in self.nodes}
        return [node for node in self.nodes if id(node) not in inner]


ACTIONS = st.lists(
    st.tuples(st.sampled_from(["say", "again", "edit", "branch", "switch", "resume"]), st.integers(0, 20)),
    min_size=1,
    max_size=14,
)


def _act(client: Client, action: str, at: int) -> None:
    path = client.path()
    if action == "say" or not path:
        client.say(client.new_text(), path, Kind.NEW)
    elif action == "again":
        client.say(path[-1].text, path[:-1], Kind.REGENERATE)
    elif action == "edit":
        # The last message of a path that nothing else hangs on.
        if path[-1] in client.leaves():
            client.say(client.new_text(), path[:-1], Kind.EDIT)
    elif action == "branch":
        if len(path) > 1:
            place = at % (len(path) - 1)
            client.say(client.new_text(), path[:place], Kind.BRANCH)
    else:
        leaf = client.leaves()[at % len(client.leaves())]
        if leaf is client.shown:
            return
        client.shown = leaf
        other = client.path()
        if action == "switch":
            client.say(client.new_text(), other, Kind.NEW)
        else:
            client.say(leaf.text, other[:-1], Kind.REGENERATE)


@MANY
@given(ACTIONS)
def test_whatever_a_person_does_in_a_client_the_ghost_is_on_the_branch_that_is_shown(
    actions: list[tuple[str, int]],
) -> None:
    client = Client()
    for action, at in actions:
        _act(client, action, at)
        client.agrees()


@MANY
@given(st.integers(2, 8), st.integers(1, 7))
def test_a_client_that_forgets_the_beginning_goes_on_where_it_was(turns: int, cut: int) -> None:
    client = Client()
    for _ in range(turns):
        client.say(client.new_text(), client.path(), Kind.NEW)
    client.say(client.new_text(), client.path(), Kind.NEW, cut=min(cut, turns - 1))
    client.agrees()


TEXTS = st.text(alphabet="ab い：: \n", max_size=6)
STORED = st.lists(
    st.builds(
        ClientTurn,
        event_id=st.just(0),
        user_text=TEXTS,
        reply_text=TEXTS,
        message_id=st.none() | st.sampled_from(["m1", "m2", "m3"]),
        parent_id=st.none() | st.sampled_from(["", "r1", "r2"]),
        standing=st.sampled_from([CURRENT, LEFT, Standing.DOUBTFUL]),
        conversation=st.sampled_from(["a", "b"]),
        created_at=st.integers(0, 10_000),
        reply_id=st.none() | st.sampled_from(["r1", "r2"]),
    ),
    max_size=6,
).map(lambda turns: [replace(turn, event_id=number) for number, turn in enumerate(turns, 1)])
MESSAGES = st.lists(
    st.builds(ChatMessage, st.sampled_from(["system", "user", "assistant", "tool"]), TEXTS), max_size=8
)
IDS = st.none() | st.builds(
    MessageIds,
    st.none() | st.sampled_from(["m1", "m2", "m9"]),
    st.none() | st.sampled_from(["", "r1", "r2", "r9"]),
)


@MANY
@given(STORED, MESSAGES, IDS, st.booleans(), st.booleans())
def test_any_history_beside_any_talk_has_a_meaning_of_turns_that_are_there(
    stored: list[ClientTurn],
    messages: list[ChatMessage],
    ids: MessageIds | None,
    continues: bool,
    resends: bool,
) -> None:
    if not any(one.role == "user" and not is_note(one.text) for one in messages):
        with pytest.raises(BadInput):
            meaning_of(stored, messages, ids, continues=continues, resends=resends)
        return
    meaning = meaning_of(stored, messages, ids, continues=continues, resends=resends)
    standing = {turn.event_id: turn.standing for turn in stored}
    assert meaning.event_id is None or meaning.event_id in standing
    assert set(meaning.left) <= standing.keys()
    assert all(standing[one] is LEFT for one in meaning.back), "only what was left can come back"
    assert not set(meaning.left) & set(meaning.back)
    assert meaning.event_id not in meaning.left, "what is asked about is not left at once"
    if meaning.kind in (Kind.REGENERATE, Kind.EDIT):
        assert meaning.event_id is not None
    if meaning.kind in (Kind.NEW, Kind.FOREIGN):
        assert meaning.event_id is None
    assert meaning == meaning_of(stored, messages, ids, continues=continues, resends=resends)
    found = conversation_of(stored, messages, 5_000)
    assert found is None or found in {turn.conversation for turn in stored}


@MANY
@given(st.text(max_size=40))
def test_a_text_made_comparable_stays_so_and_needs_no_more_room(text: str) -> None:
    once = comparable(text)
    assert "\n" not in once
    assert once == once.strip()
    assert comparable(f"  {text}\n") == once or text.startswith("### Task:")
    words = own_words(text)
    assert words.own in text


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)
PART = st.fixed_dictionaries(
    {"type": st.sampled_from(["text", "image_url", "input_audio"])},
    optional={
        "text": st.text(max_size=5) | JSON,
        "image_url": JSON | st.just({"url": "data:image/png;base64,AA=="}),
    },
)
SENT = st.fixed_dictionaries(
    {"role": st.sampled_from(["user", "assistant", "system", "developer", "tool", "function"]) | JSON},
    optional={
        "content": st.text(max_size=8) | st.lists(PART, max_size=3) | JSON,
        "images": st.lists(st.text(max_size=4), max_size=2) | JSON,
        "tool_calls": JSON
        | st.lists(st.fixed_dictionaries({"function": JSON | st.just({"name": "f"})}), max_size=2),
        "tool_call_id": JSON,
        "tool_name": JSON,
    },
)


@MANY
@given(JSON | st.lists(SENT, max_size=4))
def test_whatever_is_sent_as_messages_is_read_or_refused_with_its_place(raw: object) -> None:
    try:
        messages = parse_messages(raw)
    except BadInput as error:
        sentence = str(error)
    else:
        sentence = "`messages`"
        assert isinstance(raw, list)
        assert len(messages) == len(raw)
        assert all(one.role in ("system", "user", "assistant", "tool") for one in messages)
        assert all(image.startswith("data:") for one in messages for image in one.images)
        assert system_text(messages) == system_text([one for one in messages if one.role == "system"])
        assert steps_in(messages) == () or messages[-1].role == "tool"
    assert "messages" in sentence


@MANY
@given(JSON, JSON)
def test_whatever_is_sent_as_tools_is_read_or_refused(tools: object, choice: object) -> None:
    try:
        used = tools_in({"tools": tools, "tool_choice": choice})
    except BadInput as error:
        sentence = str(error)
    else:
        sentence = "tool"
        assert (used is None) == (tools in (None, []) or choice == "none")
    assert "tool" in sentence
    for call in calls_in(tools):
        assert isinstance(call.arguments, str)
        assert 0 < len(call.call_id) <= 200


def test_the_borders_of_what_may_be_sent() -> None:
    one = {"role": "user", "content": "hi"}
    assert len(parse_messages([one] * MAX_MESSAGES)) == MAX_MESSAGES
    with pytest.raises(BadInput, match=str(MAX_MESSAGES)):
        parse_messages([one] * (MAX_MESSAGES + 1))
    tool = {"type": "function", "function": {"name": "f"}}
    used = tools_in({"tools": [tool] * MAX_TOOLS})
    assert used is not None
    assert len(used.tools) == MAX_TOOLS
    with pytest.raises(BadInput, match=str(MAX_TOOLS)):
        tools_in({"tools": [tool] * (MAX_TOOLS + 1)})
