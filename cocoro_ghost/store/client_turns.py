"""Rows of turns that came through other clients (memory)."""

from __future__ import annotations

from cocoro_ghost.errors import NotFound
from cocoro_ghost.model.client_turn import ClientTurn, Standing
from cocoro_ghost.model.event import Event
from cocoro_ghost.model.heard import SentMessage
from cocoro_ghost.store import events
from cocoro_ghost.store.ports import Reader, Row, Tx

TURNS_COMPARED = 200


def add(tx: Tx, event_id: int, conversation: str, sent: SentMessage) -> None:
    tx.run(
        "client_turns.add",
        event_id=event_id,
        client_id=sent.client_id,
        conversation=conversation,
        message_id=sent.message_id,
        parent_id=sent.parent_id,
        reply_id=sent.reply_id,
        standing=sent.standing.value,
        edited_from=sent.edited_from,
    )


def of_conversation(reader: Reader, conversation: str, limit: int = TURNS_COMPARED) -> list[ClientTurn]:
    """The newest turns that were not superseded, oldest first."""
    rows = reader.all("client_turns.of_conversation", conversation=conversation, limit=limit)
    return [_turn(row) for row in reversed(rows)]


def of_client(reader: Reader, client_id: str, limit: int = TURNS_COMPARED) -> list[ClientTurn]:
    """As `of_conversation`, over all talks of a client that names none."""
    rows = reader.all("client_turns.of_client", client_id=client_id, limit=limit)
    return [_turn(row) for row in reversed(rows)]


def _turn(row: Row) -> ClientTurn:
    return ClientTurn(
        event_id=row["event_id"],
        user_text=row["user_text"] or "",
        reply_text=row["assistant_text"] or "",
        message_id=row["message_id"],
        parent_id=row["parent_id"],
        standing=Standing(row["standing"]),
        conversation=row["conversation"],
        created_at=row["created_at"],
        reply_id=row["reply_id"],
        speaker=row["speaker"],
    )


def stand(tx: Tx, event_id: int, standing: Standing) -> None:
    if not tx.run("client_turns.stand", event_id=event_id, standing=standing.value):
        raise NotFound(f"Event {event_id} did not come through another client.")


def replied(tx: Tx, event_id: int, reply_id: str) -> None:
    """The client's id of the newest reply to a turn."""
    tx.run("client_turns.replied", event_id=event_id, reply_id=reply_id)


def doubtful(reader: Reader, limit: int = 100) -> list[Event]:
    """Heard, not remembered: what may have been a program's own call; newest first."""
    return [events.from_row(row) for row in reader.all("client_turns.doubtful", limit=limit)]


def standing(reader: Reader, event_id: int) -> Standing | None:
    value = reader.value("client_turns.standing", event_id=event_id)
    return None if value is None else Standing(value)
