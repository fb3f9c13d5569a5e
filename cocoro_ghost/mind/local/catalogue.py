"""Open models that may be had without a key: what each is, where it comes from, what it needs.

Repositories, file names, sizes and licences as public pages and programs name them (looked up 2026-11-16).
The hub tells a checksum for each file (`X-Linked-Etag`, a SHA-256), and what was downloaded must have it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

Kind = Literal["chat", "embedding", "rerank"]
_HUB = "https://huggingface.co"
GB = 1_000_000_000


@dataclass(frozen=True, slots=True)
class OpenModel:
    id: str
    name: str
    kind: Kind
    size_bytes: int
    """About; the server tells the exact size."""
    licence: str
    languages: str
    repository: str
    file: str
    memory_bytes: int
    """What a machine should have to run it beside everything else."""
    dimension: int = 0
    hub: str = _HUB

    @property
    def preset_model(self) -> str:
        """As a preset names it."""
        return f"local/{self.id}"

    @property
    def url(self) -> str:
        return f"{self.hub}/{self.repository}/resolve/main/{self.file}"

    @property
    def source(self) -> str:
        return f"{self.hub}/{self.repository}"


_ALL = (
    OpenModel("qwen3-4b", "Qwen3 4B (4 bit)", "chat", int(2.50 * GB), "Apache-2.0", "ja en +100",
              "bartowski/Qwen_Qwen3-4B-GGUF", "Qwen_Qwen3-4B-Q4_K_M.gguf", 8 * GB),
    OpenModel("qwen3-8b", "Qwen3 8B (4 bit)", "chat", int(5.03 * GB), "Apache-2.0", "ja en +100",
              "bartowski/Qwen_Qwen3-8B-GGUF", "Qwen_Qwen3-8B-Q4_K_M.gguf", 12 * GB),
    OpenModel("qwen3-embedding-0.6b", "Qwen3 Embedding 0.6B", "embedding", int(0.64 * GB), "Apache-2.0",
              "ja en +100", "Qwen/Qwen3-Embedding-0.6B-GGUF", "Qwen3-Embedding-0.6B-Q8_0.gguf", 4 * GB, 1024),
    OpenModel("bge-reranker-v2-m3", "BGE Reranker v2 M3", "rerank", 635_676_416, "Apache-2.0", "ja en +100",
              "gpustack/bge-reranker-v2-m3-GGUF", "bge-reranker-v2-m3-Q8_0.gguf", 4 * GB),
)  # fmt: skip
OPEN_MODELS: Mapping[str, OpenModel] = MappingProxyType({one.id: one for one in _ALL})


def fits(model: OpenModel, memory_bytes: int) -> bool:
    return memory_bytes >= model.memory_bytes
