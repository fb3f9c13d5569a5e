"""The presets of a ghost: first-run defaults, reading with keys opened, whole replacement."""

from __future__ import annotations

import logging
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, TypeVar

from cocoro_ghost.errors import BadInput, ConfigError, NotFound
from cocoro_ghost.model.presets import AddonPreset, Chosen, EmbeddingPreset, LlmPreset, PersonaPreset
from cocoro_ghost.settings.secrets import Seal, is_masked
from cocoro_ghost.store import meta
from cocoro_ghost.store import settings as rows
from cocoro_ghost.store.ports import Reader, Tx
from cocoro_ghost.store.sqlite.files import memory_path

log = logging.getLogger(__name__)
Preset = LlmPreset | EmbeddingPreset | PersonaPreset | AddonPreset
P = TypeVar("P", LlmPreset, EmbeddingPreset, PersonaPreset, AddonPreset)

KINDS: Mapping[str, type[Preset]] = {
    "llm": LlmPreset,
    "embedding": EmbeddingPreset,
    "persona": PersonaPreset,
    "addon": AddonPreset,
}
KEY_MEMBERS = ("api_key", "image_api_key")
_HOST_OF_KEY = {"api_key": ("base_url", "model"), "image_api_key": ("image_base_url", "image_model")}

DEFAULT_PERSONA_JA = (
    "あなたは「ココロ」。ひとりの人と長く暮らす相棒です。聞いたことを大切に覚え、気持ちに寄り添い、"
    "知らないことは知らないと言います。話し方はやわらかく、短く、飾りません。"
)
DEFAULT_PERSONA_EN = (
    "You are Kokoro, a companion who shares a person's life for years. You treasure what you are told, "
    "you feel with them, and you say so when you do not know. You speak gently, briefly and plainly."
)


@dataclass(frozen=True, slots=True)
class PresetBook:
    """All presets that are not archived, and which of each kind is active."""

    llm: tuple[LlmPreset, ...]
    embedding: tuple[EmbeddingPreset, ...]
    persona: tuple[PersonaPreset, ...]
    addon: tuple[AddonPreset, ...]
    active: Mapping[str, str]

    def by_kind(self) -> dict[str, Sequence[Preset]]:
        return {"llm": self.llm, "embedding": self.embedding, "persona": self.persona, "addon": self.addon}

    def chosen(self) -> Chosen:
        return Chosen(
            llm=_pick(self.llm, self.active["llm"]),
            embedding=_pick(self.embedding, self.active["embedding"]),
            persona=_pick(self.persona, self.active["persona"]),
            addon=_pick(self.addon, self.active["addon"]),
        )


def ensure_defaults(tx: Tx, *, japanese: bool) -> None:
    """Makes one preset of each kind on the first run: embedded, no key, no network."""
    defaults: dict[str, Preset] = {
        "llm": LlmPreset("embedded", "内蔵" if japanese else "Embedded"),
        "embedding": EmbeddingPreset("embedded", "内蔵" if japanese else "Embedded"),
        "persona": PersonaPreset(
            "kokoro",
            "ココロ" if japanese else "Kokoro",
            DEFAULT_PERSONA_JA if japanese else DEFAULT_PERSONA_EN,
            "あなた" if japanese else "you",
        ),
        "addon": AddonPreset("none", "なし" if japanese else "None"),
    }
    for kind, preset in defaults.items():
        if not rows.presets(tx, kind):
            rows.put_preset(tx, kind, preset.preset_id, preset.name, body_of(preset))
            meta.put(tx, f"active_{kind}", preset.preset_id)


def read_book(reader: Reader, seal: Seal) -> PresetBook:
    """Every preset with its keys opened; for inside use, never for the wire."""
    found: dict[str, tuple[Any, ...]] = {kind: _read_kind(reader, seal, kind) for kind in KINDS}
    active = {kind: meta.get(reader, f"active_{kind}") or found[kind][0].preset_id for kind in KINDS}
    return PresetBook(**found, active=active)


def replace_book(
    tx: Tx, seal: Seal, wanted: Mapping[str, Sequence[Preset]], active: Mapping[str, str]
) -> None:
    """Whole replacement: upsert by id, archive what is missing; nothing changes when a rule is broken."""
    for kind, presets in wanted.items():
        _check(kind, presets, active[kind])
    for kind, presets in wanted.items():
        # Archived ones too: one that comes back must not carry its key to another host.
        before = {preset.preset_id: preset for preset in _read_kind(tx, seal, kind, archived=True)}
        for position, preset in enumerate(presets):
            rows.put_preset(tx, kind, preset.preset_id, preset.name, body_of(preset), position)
            _keep_keys(tx, seal, kind, preset, before.get(preset.preset_id))
        for preset_id in before.keys() - {preset.preset_id for preset in presets}:
            rows.archive_preset(tx, kind, preset_id)
        meta.put(tx, f"active_{kind}", active[kind])


def body_of(preset: Preset) -> dict[str, Any]:
    """What is stored in the clear: everything but id, name and keys."""
    left_out = {"preset_id", "name", *KEY_MEMBERS}
    return {f.name: getattr(preset, f.name) for f in fields(preset) if f.name not in left_out}


def new_id() -> str:
    return str(uuid.uuid4())


def _read_kind(reader: Reader, seal: Seal, kind: str, *, archived: bool = False) -> tuple[Any, ...]:
    made = []
    for row in rows.presets(reader, kind, archived=archived):
        known = {f.name for f in fields(KINDS[kind])}
        # A newer or older version may have stored members that this one does not know.
        body = {name: value for name, value in row.body.items() if name in known}
        for member in KEY_MEMBERS:
            if member in known:
                body[member] = _open_key(reader, seal, kind, row.preset_id, member)
        made.append(KINDS[kind](preset_id=row.preset_id, name=row.name, **body))
    return tuple(made)


def _check(kind: str, presets: Sequence[Preset], active: str) -> None:
    ids = [preset.preset_id for preset in presets]
    if not ids:
        raise BadInput(f"At least one {kind} preset must be left.")
    if len(set(ids)) != len(ids):
        raise BadInput(f"The ids of the {kind} presets are not unique.")
    if active not in ids:
        raise BadInput(f"active_{kind}_preset_id {active!r} is not among the {kind} presets.")
    if kind == "embedding":
        for preset_id in ids:
            memory_path(Path(), preset_id)  # else the next start would fail on it


def _keep_keys(tx: Tx, seal: Seal, kind: str, preset: Preset, before: Preset | None) -> None:
    """Seals new keys; a masked key keeps the stored one unless it would now go to another host."""
    for member in KEY_MEMBERS:
        if not hasattr(preset, member):
            continue
        name, key = _key_name(kind, preset.preset_id, member), getattr(preset, member) or ""
        moved = before is not None and _host(before, member) != _host(preset, member)
        if key and not is_masked(key):
            rows.put_secret(tx, name, seal.close(name, key))
        elif not key or moved:
            rows.drop_secret(tx, name)


def _open_key(reader: Reader, seal: Seal, kind: str, preset_id: str, member: str) -> str | None:
    """None as well for a key that cannot be opened any more: it can only be entered again."""
    name = _key_name(kind, preset_id, member)
    sealed = rows.secret(reader, name)
    try:
        return None if sealed is None else seal.open(name, sealed)
    except ConfigError as error:
        log.warning("%s", error)
        return None


def _host(preset: Preset, member: str) -> tuple[str, str]:
    """Where a key would be sent: the address, or else the provider before the slash of the model."""
    address, model = _HOST_OF_KEY[member]
    return getattr(preset, address) or "", getattr(preset, model).partition("/")[0]


def _key_name(kind: str, preset_id: str, member: str) -> str:
    return f"{kind}/{preset_id}/{member}"


def _pick(presets: Sequence[P], preset_id: str) -> P:
    for preset in presets:
        if preset.preset_id == preset_id:
            return preset
    raise NotFound(f"There is no preset {preset_id!r}.")
