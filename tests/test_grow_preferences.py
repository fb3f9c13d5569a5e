"""Likes and dislikes over months: candidates, confirmations, corrections, contradictions, re-confirmation."""

from __future__ import annotations

import pytest

from cocoro_ghost.grow.apply.apply_preferences import confirm_preference, revoke_preference
from cocoro_ghost.model.event import Origin, Source
from cocoro_ghost.model.preference import Domain, Polarity, PreferenceStatus
from cocoro_ghost.store import preferences, revisions
from tests.growing import DAY, Life, a_life, likes

MONTH = 30 * DAY


def status(life: Life, subject: str, polarity: str = "like") -> str | None:
    found = life.preference(subject, polarity)
    return None if found is None else found.status.value


@pytest.mark.parametrize(
    ("said", "op", "expected"),
    [
        ("パクチーが好き", "confirm", "confirmed"),
        ("I love パクチー so much", "confirm", "confirmed"),
        ("パクチーを食べた", "confirm", "candidate"),
        ("パクチーって好き?", "confirm", "candidate"),
        ("今日は暑いね", "confirm", "candidate"),
        ("パクチーは大嫌い", "confirm", "revoked"),
        ("パクチーには目がないんだ", "confirm", "confirmed"),
        ("パクチーが好き", "upsert_candidate", "candidate"),
    ],
)
def test_only_outright_words_confirm(said: str, op: str, expected: str) -> None:
    with a_life() as life:
        life.tell(said, likes("パクチー", op))
        assert status(life, "パクチー") == expected


def test_a_plain_yes_confirms_what_the_ghost_asked() -> None:
    with a_life() as life:
        life.tell("お腹すいた", reply="パクチーは好き?")
        life.tell("うん、とても", likes("パクチー"))
        assert status(life, "パクチー") == "confirmed"


def test_a_plain_yes_does_not_affirm_what_was_merely_said() -> None:
    with a_life() as life:
        life.tell("お腹すいた", reply="パクチーが好きだと書いておくね。何か食べる?")
        life.tell("うん", likes("パクチー"))
        assert status(life, "パクチー") == "candidate"


def test_a_plain_yes_to_something_else_confirms_nothing() -> None:
    with a_life() as life:
        life.tell("お腹すいた", reply="何か食べる?")
        life.tell("うん", likes("パクチー"))
        assert status(life, "パクチー") == "candidate"


# Each line: month, what is said, operation, polarity → status of (like, dislike) afterwards.
LIVES = [
    [
        (0, "セロリが好き", "confirm", "like", ("confirmed", None)),
        (2, "セロリは嫌いになった", "confirm", "dislike", ("revoked", "confirmed")),
        (3, "セロリを見た", "upsert_candidate", "like", ("revoked", "confirmed")),
        (6, "やっぱりセロリが好き", "confirm", "like", ("confirmed", "revoked")),
        (9, "セロリ、飽きたかも", "upsert_candidate", "dislike", ("confirmed", "revoked")),
    ],
    [
        (0, "セロリかな", "upsert_candidate", "like", ("candidate", None)),
        (1, "セロリ、もう好きじゃない", "revoke", "like", ("revoked", None)),
        (2, "セロリを買った", "upsert_candidate", "like", ("candidate", None)),
        (3, "セロリが大好き", "confirm", "like", ("confirmed", None)),
        (4, "セロリを買った", "upsert_candidate", "like", ("confirmed", None)),
    ],
    [
        (0, "セロリは苦手", "confirm", "dislike", (None, "confirmed")),
        (5, "セロリが苦手なのは変わらない", "confirm", "dislike", (None, "confirmed")),
        (6, "セロリが苦手というのは取り消す", "revoke", "dislike", (None, "revoked")),
        (7, "セロリ?", "revoke", "dislike", (None, "revoked")),
    ],
]


@pytest.mark.parametrize("story", LIVES)
def test_the_life_of_a_liking(story: list[tuple[int, str, str, str, tuple[str | None, str | None]]]) -> None:
    with a_life() as life:
        start = life.g.clock.now
        for month, said, op, polarity, expected in story:
            life.g.clock.now = start + month * MONTH
            life.tell(said, likes("セロリ", op, polarity))
            assert (status(life, "セロリ"), status(life, "セロリ", "dislike")) == expected, said


def test_never_both_polarities_confirmed_even_across_domains() -> None:
    with a_life() as life:
        life.tell("コーヒーが好き", likes("コーヒー", domain="food"))
        life.tell("コーヒーの話は嫌い", likes("ｺｰﾋｰ", polarity="dislike", domain="topic"))
        found = life.g.read(lambda r: preferences.with_status(r, PreferenceStatus.CONFIRMED))
        assert [(p.polarity, p.domain) for p in found] == [(Polarity.DISLIKE, Domain.TOPIC)]


def test_one_subject_has_one_row_whatever_its_width_case_or_spaces() -> None:
    with a_life() as life:
        for spelling in ("Ｒｕｓｔ", "rust", " R u s t "):
            life.tell(f"{spelling}が好き", likes(spelling, domain="topic"))
        rows = life.snapshot()["user_preferences"]
        assert [(row["subject_key"], row["status"]) for row in rows] == [("rust", "confirmed")]
        assert life.preference("RUST") is not None


def test_confirmation_time_and_history_are_kept() -> None:
    with a_life() as life:
        life.tell("梅が好き", likes("梅"))
        first = life.g.clock.domain_now()
        life.g.clock.tick(MONTH)
        life.tell("梅が好きだよ", likes("梅"))
        found = life.preference("梅")
        assert found is not None
        assert (found.confirmed_at, found.last_seen_at) == (first, life.g.clock.domain_now())
        assert found.evidence_event_ids == (1, 2)
        life.g.clock.tick(MONTH)
        life.tell("梅は嫌い", likes("梅", polarity="dislike"))
        revoked = life.preference("梅")
        assert revoked is not None
        assert (revoked.status, revoked.revoked_at) == (PreferenceStatus.REVOKED, life.g.clock.domain_now())
        assert revoked.confirmed_at == first, "revoked keeps its history"
        history = life.g.read(lambda r: revisions.of_entity(r, "user_preferences", revoked.preference_id))
        assert len(history) == 3
        assert all(r.evidence_event_ids for r in history)


@pytest.mark.parametrize(
    ("source", "origin", "expected"),
    [
        (Source.NOTIFICATION, Origin.APP, "candidate"),
        (Source.META_PROACTIVE, Origin.GHOST, "candidate"),
        (Source.IMPORT, Origin.IMPORT, "candidate"),
        (Source.DESKTOP_WATCH, Origin.SCREEN, None),
    ],
)
def test_other_origins_never_confirm(source: Source, origin: Origin, expected: str | None) -> None:
    with a_life() as life:
        life.tell("パクチーが好き", likes("パクチー"), source=source, origin=origin)
        assert status(life, "パクチー") == expected


def test_other_origins_never_revoke() -> None:
    with a_life() as life:
        life.tell("パクチーが好き", likes("パクチー"))
        update = likes("パクチー", "revoke")
        life.tell("パクチーは好きじゃない", update, source=Source.NOTIFICATION, origin=Origin.APP)
        life.tell("おはよう", update, reply="パクチー、もう好きじゃないんだよね")
        assert status(life, "パクチー") == "confirmed"


def test_the_user_confirms_and_revokes_by_hand() -> None:
    with a_life() as life:
        life.tell("パクチーを食べた", likes("パクチー", "upsert_candidate"))
        life.tell("パクチーは嫌い", likes("パクチー", "confirm", "dislike"))
        like, dislike = life.preference("パクチー"), life.preference("パクチー", "dislike")
        assert like is not None
        assert dislike is not None
        life.g.write(lambda tx: confirm_preference(tx, like.preference_id))
        assert (status(life, "パクチー"), status(life, "パクチー", "dislike")) == ("confirmed", "revoked")
        life.g.write(lambda tx: revoke_preference(tx, like.preference_id))
        assert status(life, "パクチー") == "revoked"
