"""Where the context block stands among the messages, so that any model and any template can bear it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal, get_args

from cocoro_ghost.mind.client import Message
from cocoro_ghost.model.internal import CONTEXT_END, CONTEXT_MARK

ContextForm = Literal["assistant", "user", "system_tail"]
FORMS: tuple[ContextForm, ...] = get_args(ContextForm)
HISTORY_BLOCK = 5
"""Turns leave the front of the history in blocks, so that a prompt cache keeps its prefix between them."""


def arranged(messages: Sequence[Message], form: ContextForm) -> tuple[Message, ...]:
    """The messages with the block in its place; outside the `assistant` form roles alternate."""
    if form == "assistant":
        return tuple(replace(one, internal=False) for one in messages)
    block = "\n\n".join(one.content for one in messages if one.internal)
    rest = [one for one in messages if not one.internal]
    if block and form == "system_tail":
        rest = _with_tail(rest, block)
    elif block and (at := _last_said(rest)) is not None:
        body = block.removeprefix(CONTEXT_MARK).strip()
        rest[at] = Message("user", f"{CONTEXT_MARK}\n{body}\n{CONTEXT_END}\n\n{rest[at].content}")
    return alternating(rest)


def alternating(messages: Sequence[Message]) -> tuple[Message, ...]:
    """One system message first, then user and assistant in turn; neighbours of one role become one."""
    system = "\n\n".join(one.content for one in messages if one.role == "system")
    made: list[Message] = [Message("system", system)] if system else []
    for one in messages:
        if one.role == "system" or not (one.content or one.calls):
            continue
        if made and made[-1].role == one.role and one.role != "tool" and not one.calls:
            both = filter(None, (made[-1].content, one.content))
            made[-1] = Message(one.role, "\n\n".join(both), calls=made[-1].calls)
        elif one.role == "assistant" and (not made or made[-1].role == "system"):
            # A talk begins with the person; what the ghost said first is told as what went before.
            made.append(Message("user", "…"))
            made.append(one)
        else:
            made.append(one)
    return tuple(made)


def folded(messages: Sequence[Message]) -> tuple[Message, ...]:
    """For templates that know no system role: its text opens what the person says first."""
    if not messages or messages[0].role != "system":
        return tuple(messages)
    head, *rest = messages
    if rest and rest[0].role == "user":
        return (Message("user", f"{head.content}\n\n{rest[0].content}"), *rest[1:])
    return (Message("user", head.content), *rest)


def without_oldest(messages: Sequence[Message], turns: int = HISTORY_BLOCK) -> tuple[Message, ...]:
    """The same without the oldest turns of its history; equal when there is no history left."""
    last = _last_said(messages)
    history = [
        index
        for index, one in enumerate(messages[: -1 if last is None else last])
        if one.role in ("user", "assistant") and not one.internal
    ]
    gone = set(history[: 2 * turns])
    return tuple(one for index, one in enumerate(messages) if index not in gone)


def _last_said(messages: Sequence[Message]) -> int | None:
    """Where the person speaks last: after it only a client's tools have a word."""
    return next((at for at in range(len(messages) - 1, -1, -1) if messages[at].role == "user"), None)


def _with_tail(messages: list[Message], block: str) -> list[Message]:
    if messages and messages[0].role == "system":
        return [Message("system", f"{messages[0].content}\n\n{block}"), *messages[1:]]
    return [Message("system", block), *messages]
