"""New work ends the work told of before; a calling without a workplace outlives a change of workplace."""

from __future__ import annotations

import pytest

from tests.learning import plan, state

NURSE = state(7, "You're a nurse at St. Anne's Hospital.", payload={"slot": "occupation", "value": "nurse"})
CALLING = state(8, "You're a nurse.", payload={"slot": "occupation", "value": "nurse"})
LIBRARY = state(9, "あなたは図書館で働いている。", payload={"slot": "job", "value": "図書館"})
CLERK = state(10, "あなたは市役所で事務員をしている。", payload={"slot": "occupation", "value": "事務員"})


def closed(text: str, *known: object) -> list[int | None]:
    made = plan(text, related_states=known)
    return [update.state_id for update in made.state_updates if update.op == "close"]


@pytest.mark.parametrize(
    "text",
    [
        "Actually I got a new job at a hospice in Swansea",
        "I started working at a school in Leeds",
        "I landed a job as a baker",
    ],
)
def test_a_new_job_ends_the_old_occupation(text: str) -> None:
    assert closed(text, NURSE) == [7]


def test_a_new_job_ends_the_old_one_in_japanese() -> None:
    assert closed("転職して、今は花屋で働いてます", CLERK) == [10]


def test_a_change_ends_one_and_teaches_the_other() -> None:
    made = plan("先月から美容師に転職しました", related_states=(CLERK,))
    assert [update.op for update in made.state_updates] == ["close", "upsert"]
    assert "美容師" in made.state_updates[1].body_text


def test_a_calling_stays_when_only_the_workplace_is_new() -> None:
    assert closed("I got a new job at a hospice in Swansea", CALLING) == []


@pytest.mark.parametrize(
    "text",
    [
        "I got a second job at a bar",
        "I work at a hospice, as I told you",
        "My sister got a new job at a bank",
        "Should I look for a new job?",
        "副業で新しい仕事をカフェで始めました",
    ],
)
def test_work_beside_the_old_or_of_others_ends_nothing(text: str) -> None:
    assert closed(text, NURSE, CLERK) == []
