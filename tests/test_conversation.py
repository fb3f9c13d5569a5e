"""What is new in a history sent again: by hand for each kind, and as properties over made-up talks."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cocoro_ghost.connect.conversation import Kind, MessageIds, conversation_of, meaning_of
from cocoro_ghost.connect.messages import ChatMessage, comparable, own_words
from cocoro_ghost.errors import BadInput
from cocoro_ghost.model.client_turn import ClientTurn, Standing

TALK = [("おはよう", "おはよう！"), ("猫を飼ってる", "いいね"), ("名前はモモ", "かわいい")]
GREETING = ChatMessage("assistant", "*A forest. You wake up.*")


def stored(talk: list[tuple[str, str]], conversation: str = "c") -> list[ClientTurn]:
    return [
        ClientTurn(number, said, reply, conversation=conversation, created_at=number)
        for number, (said, reply) in enumerate(talk, 1)
    ]


def sent(talk: list[tuple[str, str]], new: str, *, greeting: bool = False) -> list[ChatMessage]:
    messages = [ChatMessage("system", "You are a character."), *([GREETING] if greeting else [])]
    for said, reply in talk:
        messages += [ChatMessage("user", said), ChatMessage("assistant", reply)]
    return [*messages, ChatMessage("user", new)]


@pytest.mark.parametrize("greeting", [False, True])
def test_something_new_after_all_that_is_known_is_a_new_turn(greeting: bool) -> None:
    meaning = meaning_of(stored(TALK), sent(TALK, "散歩してきた", greeting=greeting))
    assert (meaning.kind, meaning.message.text) == (Kind.NEW, "散歩してきた")


def test_the_same_message_again_wants_another_reply() -> None:
    meaning = meaning_of(stored(TALK), sent(TALK[:2], "名前はモモ"))
    assert (meaning.kind, meaning.event_id, meaning.left) == (Kind.REGENERATE, 3, ())


def test_another_message_in_the_place_of_the_last_is_an_edit() -> None:
    meaning = meaning_of(stored(TALK), sent(TALK[:2], "名前はルナ"))
    assert (meaning.kind, meaning.event_id) == (Kind.EDIT, 3)


def test_another_message_further_back_is_a_branch_and_nothing_is_taken_back() -> None:
    meaning = meaning_of(stored(TALK), sent(TALK[:1], "犬を飼ってる"))
    assert (meaning.kind, meaning.event_id, meaning.left) == (Kind.BRANCH, 1, (2, 3))


def test_going_back_to_a_left_branch_makes_it_current_again() -> None:
    turns = stored([*TALK, ("犬を飼ってる", "いいね")])
    turns[1] = ClientTurn(2, "猫を飼ってる", "いいね", standing=Standing.OTHER_BRANCH)
    turns[2] = ClientTurn(3, "名前はモモ", "かわいい", standing=Standing.OTHER_BRANCH)
    meaning = meaning_of(turns, sent(TALK, "元気だよ"))
    assert (meaning.kind, set(meaning.back)) == (Kind.NEW, {2, 3})


def test_a_reply_as_last_message_is_to_go_on() -> None:
    messages = [*sent(TALK[:2], "名前はモモ"), ChatMessage("assistant", "かわいい")]
    meaning = meaning_of(stored(TALK), messages)
    assert (meaning.kind, meaning.event_id) == (Kind.CONTINUE, 3)


def test_ids_do_not_make_a_reply_to_go_on_with_one_to_give_anew() -> None:
    """Open WebUI's "Continue Response": the same ids, and the reply so far as the last message."""
    turns = [ClientTurn(1, "hi", "hello", "m1", "", reply_id="r1")]
    messages = [ChatMessage("user", "hi"), ChatMessage("assistant", "hello")]
    assert meaning_of(turns, messages, MessageIds("m1", "")).kind is Kind.CONTINUE
    answered = [*messages, ChatMessage("tool", "42")]
    assert meaning_of(turns, answered, MessageIds("m1", "")).kind is Kind.REGENERATE


def test_an_edit_or_another_reply_further_back_leaves_what_came_after() -> None:
    turns = [
        ClientTurn(1, "hi", "hello", "m1", "", reply_id="r1"),
        ClientTurn(2, "cat", "nice", "m2", "r1", reply_id="r2"),
        ClientTurn(3, "dog", "too", "m3", "r2", reply_id="r3"),
    ]
    edit = meaning_of(turns, sent([], "hey"), MessageIds("m4", ""))
    assert (edit.kind, edit.event_id, edit.left) == (Kind.EDIT, 1, (2, 3))
    again = meaning_of(turns, sent([("hi", "hello")], "cat"), MessageIds("m2", "r1"))
    assert (again.kind, again.event_id, again.left) == (Kind.REGENERATE, 2, (3,))
    older = meaning_of(turns, sent([("hi", "another")], "bird"), MessageIds("m5", "r1-older"))
    assert (older.kind, older.event_id, older.left) == (Kind.BRANCH, 1, (2, 3))
    new = meaning_of(turns, sent([("dog", "too")], "fish"), MessageIds("m6", "r3"))
    assert new.kind is Kind.NEW


def test_a_lone_message_of_a_client_that_sends_no_history_adds_to_the_talk() -> None:
    turns = stored(TALK)
    assert meaning_of(turns, sent([], "散歩"), resends=False).kind is Kind.NEW
    assert meaning_of(turns, sent([], "散歩"), MessageIds("m9")).kind is Kind.NEW
    assert meaning_of(turns, sent([], "散歩")).kind is Kind.BRANCH


def test_a_programs_note_in_the_persons_place_is_nobodys_words() -> None:
    messages = [*sent(TALK[:1], "[Interrupted by user]"), ChatMessage("user", "待って")]
    assert meaning_of(stored(TALK[:1]), messages).message.text == "待って"


def test_a_history_of_another_talk_is_context_only() -> None:
    other = [(f"question {n}", f"answer {n}") for n in range(4)]
    assert meaning_of(stored(TALK), sent(other, "and now?")).kind is Kind.FOREIGN


def test_a_client_that_cut_the_beginning_off_is_still_known() -> None:
    assert meaning_of(stored(TALK), sent(TALK[2:], "散歩してきた")).kind is Kind.NEW


def test_ids_tell_exactly() -> None:
    turns = [
        ClientTurn(1, "hi", "hello", "m1", None),
        ClientTurn(2, "I have a cat", "nice", "m2", "r1"),
    ]
    again = meaning_of(turns, sent([("hi", "hello")], "I have a cat"), MessageIds("m2", "r1"))
    edit = meaning_of(turns, sent([("hi", "hello")], "I have a dog"), MessageIds("m3", "r1"))
    new = meaning_of(turns, sent([("hi", "hello"), ("I have a cat", "nice")], "bye"), MessageIds("m4", "r2"))
    assert (again.kind, again.event_id) == (Kind.REGENERATE, 2)
    assert (edit.kind, edit.event_id) == (Kind.EDIT, 2)
    assert new.kind is Kind.NEW


def test_a_talk_without_a_name_is_found_by_what_was_said_in_it() -> None:
    turns = [*stored(TALK, "a"), ClientTurn(9, "hello", "hi", conversation="b", created_at=9)]
    assert conversation_of(turns, sent(TALK, "そうなんだ"), 10) == "a"
    assert conversation_of(turns, sent([], "hello"), 10) == "b"
    assert conversation_of(turns, sent([], "hello"), 100_000) is None
    assert conversation_of(turns, sent([], "something else"), 10) is None


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("Mika: hello  there", "hello there"),
        ("[face:Joy]やった", "やった"),
        ('<|ACT {"emotion":"happy"}|>yes', "yes"),
        ("ＡＢＣ　です", "ABC です"),
        ("### Task:\nuse this\n<context>doc</context>\nwhat is it?", "what is it?"),
    ],
)
def test_texts_are_compared_without_what_clients_add(text: str, plain: str) -> None:
    assert comparable(text) == plain


def test_found_documents_are_context_and_not_the_persons_words() -> None:
    words = own_words("### Task:\nAnswer\n<context>I live in Paris</context>\n\nどこに住んでる？")
    assert (words.own, "Paris" in words.context) == ("どこに住んでる？", True)


def test_without_a_message_of_a_person_there_is_nothing_to_answer() -> None:
    with pytest.raises(BadInput):
        meaning_of([], [ChatMessage("system", "x")])


TEXTS = st.text(alphabet="abcあいう", min_size=1, max_size=6)
TALKS = st.lists(TEXTS, min_size=1, max_size=6, unique=True)


@given(TALKS, TEXTS)
def test_property_a_talk_told_again_whole_with_one_more_is_new(texts: list[str], new: str) -> None:
    talk = [(f"{text}?", "うん") for text in texts]
    meaning = meaning_of(stored(talk), sent(talk, f"{new}!"))
    assert meaning.kind is Kind.NEW
    assert not meaning.left


@given(TALKS, st.data())
def test_property_any_known_message_asked_again_is_answered_anew(
    texts: list[str], data: st.DataObject
) -> None:
    talk = [(f"{text}?", "うん") for text in texts]
    at = data.draw(st.integers(0, len(talk) - 1))
    meaning = meaning_of(stored(talk), sent(talk[:at], talk[at][0]))
    assert (meaning.kind, meaning.event_id) == (Kind.REGENERATE, at + 1)
    assert list(meaning.left) == list(range(at + 2, len(talk) + 1))


@given(TALKS, TEXTS, st.data())
def test_property_nothing_is_taken_back_but_the_last_turn(
    texts: list[str], new: str, data: st.DataObject
) -> None:
    talk = [(f"{text}?", "うん") for text in texts]
    at = data.draw(st.integers(0, len(talk) - 1))
    meaning = meaning_of(stored(talk), sent(talk[:at], f"{new}!"))
    assert meaning.kind is (Kind.EDIT if at == len(talk) - 1 else Kind.BRANCH)
