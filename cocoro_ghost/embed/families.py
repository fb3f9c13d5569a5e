"""What families of embedding models were trained with: words before a text, how much they take, parameters.

Each row has the fact it rests on beside it; without its words a family finds markedly less.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from cocoro_ghost.embed.embedder import shortened
from cocoro_ghost.language.tokens import count_tokens

_INSTRUCT = "Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery: "


@dataclass(frozen=True, slots=True)
class Family:
    """`name` is what a model's name has in it."""

    name: str
    query: str = ""
    passage: str = ""
    tokens: int = 8000
    """What one text may cost, by our estimate, which is rather over than under."""
    dimensions: bool = False
    """Takes the length of its vectors as a parameter."""
    task: tuple[str, str] | None = None
    """Of a question and of a passage, where the provider's own endpoint takes it as a parameter."""
    task_host: str = ""


# The first that fits: what is more special stands before what is general. Read 2026-11-16.
FAMILIES = (
    # intfloat/multilingual-e5-large-instruct, e5-mistral: an instruction before questions, passages bare.
    Family("e5-mistral", query=_INSTRUCT, tokens=4000),
    Family("e5-large-instruct", query=_INSTRUCT, tokens=500),
    # intfloat/multilingual-e5-*: "query: " and "passage: ", 512 tokens.
    Family("e5-", "query: ", "passage: ", 500),
    # nomic-ai/nomic-embed-text: task words before both; 8,192 tokens, 2,048 as Ollama serves it.
    Family("nomic-embed", "search_query: ", "search_document: ", 2000),
    # cl-nagoya/ruri-v3: Japanese words before both, 8,192 tokens; ruri before it: other words, 512 tokens.
    Family("ruri-v3", "検索クエリ: ", "検索文書: "),
    Family("ruri-", "クエリ: ", "文章: ", 500),
    # BAAI/bge-m3: no instruction at all, 8,192 tokens.
    Family("bge-m3"),
    # BAAI/bge-*-v1.5: an instruction before questions, never before passages; 512 tokens.
    Family("bge-large-zh", query="为这个句子生成表示以用于检索相关文章：", tokens=500),
    Family("bge-base-zh", query="为这个句子生成表示以用于检索相关文章：", tokens=500),
    Family("bge-small-zh", query="为这个句子生成表示以用于检索相关文章：", tokens=500),
    Family("bge-", query="Represent this sentence for searching relevant passages: ", tokens=500),
    # jinaai/jina-embeddings-v4 as a GGUF file: "Query: " or "Passage: " must stand before the text; at Jina's
    # own endpoint v3 and v4 take `task` instead (8,192 and 32,768 tokens).
    Family("jina-embeddings-v4", "Query: ", "Passage: ", task=("retrieval.query", "retrieval.passage"),
           task_host="jina.ai", dimensions=False),
    Family("jina-embeddings-v3", task=("retrieval.query", "retrieval.passage"), task_host="jina.ai"),
    # Qwen/Qwen3-Embedding: an instruction before questions, passages bare; 32,768 tokens.
    Family("qwen3-embedding", query=_INSTRUCT),
    # text-embedding-3 and gemini-embedding take `dimensions`; 8,191 and 2,048 tokens.
    Family("text-embedding-3", dimensions=True),
    Family("gemini-embedding", tokens=2000, dimensions=True),
)  # fmt: skip
_ANY = Family("", tokens=6000)
_WIDEST = 6000
"""Below the 8,191 tokens of the hosted models even where our estimate is a little under."""


def family_of(model: str) -> Family:
    name = model.lower().replace("_", "-")
    return next((one for one in FAMILIES if re.search(rf"(?<![a-z0-9]){re.escape(one.name)}", name)), _ANY)


def embeds(model: str) -> bool:
    """Whether the name of a model tells that it embeds."""
    return "embed" in model.lower() or family_of(model) is not _ANY


def fitted(text: str, family: Family) -> str:
    """The text within what its family takes in: its beginning and its end; never empty."""
    most = min(family.tokens, _WIDEST)
    # Signs without words cost far more than we estimate: characters are bounded as well.
    cut = shortened(text, min(_WIDEST, 4 * most))
    while len(cut) > 16 and (cost := count_tokens(cut)) > most:
        cut = shortened(cut, int(len(cut) * most / cost * 0.95) - 3)
    # An empty text is refused by most endpoints; a mark without meaning is not.
    return cut.strip() or "."
