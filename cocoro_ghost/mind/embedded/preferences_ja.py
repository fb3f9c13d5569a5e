"""Likes and dislikes said in Japanese: predicate first, then whose taste it is, then of what."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

from cocoro_ghost.language.morphology import Token, tokens
from cocoro_ghost.mind.embedded.lexicon import alternation, fragments, pattern, word_set
from cocoro_ghost.mind.embedded.nounphrase import first_noun_phrases, noun_phrases_before
from cocoro_ghost.mind.embedded.said_after import NEITHER, ONLY_OF_FOOD, above_all, is_event, said_after
from cocoro_ghost.mind.embedded.sentences import Sentence
from cocoro_ghost.mind.embedded.taste import Taste
from cocoro_ghost.model.preference import Domain, Polarity

_FILE = "ja/preferences"
_TO_HIRA = {code: code - 0x60 for code in range(0x30A1, 0x30F7)}
_TO_KATA = {hira: kata for kata, hira in _TO_HIRA.items()}
_WAS = re.compile(
    r"(?:苦手|嫌い|きらい|無理|ダメ|だめ)だった(?=[々一-龥ァ-ヴーぁ-ん]{2,}[がはも])(?!けど|から|ので|のに|ん)"
)
_NOT_BY_TASTE = re.compile(r"アレルギー|体質|医者|ダイエット|禁止|止められ|宗教|ベジタリアン|ヴィーガン")
_SHOP = re.compile("(?:屋|店|ベーカリー|カフェ|レストラン|食堂|コンビニ|スーパー|駅前|近所|地元)$")
_NO_WAY = re.compile(
    r"(?:ほんとに?|本当に|絶対|マジで|ちょっと|どうしても)?(?:無理|ムリ|むり)(?:です|だ|だわ|だよ|だな|なんだよね)?[ー〜]*"
)
_RATHER_DO = re.compile(r"[うくぐすつぬぶむる]より(?:も|は)?[^、。]{1,8}[うくぐすつぬぶむる](?:ほう|方)が")
"""歌うより聴くほうが好き: one way of doing against another, no taste for a thing."""
_BOUNDARY = re.compile(
    r"け(?:れ)?ど(?:も)?、?|から、|ので、?|のに、?|ですが、|(?<=[るたい])が、|し、|て、|で、"
)


@dataclass(frozen=True, slots=True)
class _Hit:
    """A predicate of liking in a sentence."""

    kind: str
    start: int
    end: int
    tail: str
    before: str


def tastes_ja(sentence: Sentence, topic: str | None) -> list[Taste]:
    """The tastes one sentence states; `topic` is what the sentence before was about."""
    text = sentence.text
    if sentence.question or pattern(_FILE, "sarcasm").search(text) or NEITHER.search(text):
        return []
    if _NOT_BY_TASTE.search(text) and not re.search(r"好き|嫌い|苦手", text):
        return []
    special = _inverted(text) or _preferred(text) or _faction(text)
    if special or _RATHER_DO.search(text):
        return special
    if ended := _ended(text, topic):
        return ended
    if topic and _NO_WAY.fullmatch(text) and domain_ja(topic, "") is Domain.FOOD:
        return [_taste("confirm", Polarity.DISLIKE, topic, text)]
    found: list[Taste] = []
    said: list[str] = []
    for hit in _hits(text):
        after = said_after(hit.tail)
        subjects = _subjects(text, hit) or said or after or ([topic] if topic else [])
        if not subjects or _held_by_other(text[: hit.start], subjects) or is_event(text, hit.start):
            continue
        said = subjects = [_mended(text, subject) for subject in [*subjects, *above_all(hit.tail)]]
        found.extend(_read(text, hit, [name for name in subjects if f"その{name}" not in text]))
    return [*_once_disliked(text, found), *found]


def _once_disliked(text: str, found: list[Taste]) -> list[Taste]:
    """昔は苦手だった春菊が、今では大好物: the dislike that is over, beside what is liked now."""
    liked = [t for t in found if t.op == "confirm" and t.polarity is Polarity.LIKE]
    return [
        _taste("revoke", Polarity.DISLIKE, taste.subject, text)
        for taste in liked
        if re.search(rf"(?:苦手|嫌い|きらい|無理|ダメ|だめ)だった(?:あの)?{re.escape(taste.subject)}", text)
    ]


def _mended(text: str, subject: str) -> str:
    """きりたんぽ鍋 read as たんぽ鍋: a food that reaches into the phrase from the left belongs to it."""
    if subject in word_set("ja/food", "flavour"):
        return f"{subject}もの"
    at = text.find(subject)
    foods = word_set("ja/food", "words")
    for left in range(min(4, at), 0, -1):
        if any(text[at - left : at + right] in foods for right in range(1, len(subject) + 1)):
            return text[at - left : at] + subject
    return subject


def _hits(text: str) -> list[_Hit]:
    """Predicates in order; a longer one hides those inside it."""
    raw: list[tuple[int, int, str]] = []
    for kind in ("interest", "dislike", "like"):
        for match in fragments(_FILE, kind).finditer(text):
            if not any(start < match.end() and match.start() < end for start, end, _ in raw):
                raw.append((match.start(), match.end(), kind))
    hits = []
    ordered = sorted(raw)
    for number, (start, end, kind) in enumerate(ordered):
        begin = ordered[number - 1][1] if number else 0
        limit = ordered[number + 1][0] if number + 1 < len(ordered) else len(text)
        hits.append(_Hit(kind, start, end, text[end:limit], text[begin:start]))
    return hits


def _read(text: str, hit: _Hit, subjects: list[str]) -> list[Taste]:
    tail = hit.tail
    if pattern(_FILE, "hypothetical").search(tail) or re.search(r"もし(?!か)|仮に", text[: hit.start]):
        return []
    if pattern(_FILE, "hearsay").search(tail) and not pattern(_FILE, "retracted").search(tail):
        return []
    polarity = Polarity.DISLIKE if hit.kind == "dislike" else Polarity.LIKE
    if pattern(_FILE, "adnominal").search(tail) and hit.kind != "interest":
        return _adnominal(text, hit, polarity)
    op, polarity = _force(text, hit, polarity)
    if op is None:
        return []
    stated = [_taste(op, polarity, subject, text) for subject in subjects]
    edible = ONLY_OF_FOOD.search(text[hit.start : hit.end])
    return [taste for taste in stated if taste.domain is Domain.FOOD] if edible else stated


def _force(text: str, hit: _Hit, polarity: Polarity) -> tuple[str | None, Polarity]:
    """How firmly it is said: confirm, upsert_candidate, revoke or nothing."""
    tail, before = hit.tail, hit.before
    if hit.kind == "interest":
        return ("upsert_candidate", Polarity.LIKE) if not re.match(r"ない|ません", tail) else (None, polarity)
    word = text[hit.start : hit.end]
    if pattern(_FILE, "ended").search(tail):
        return "revoke", polarity
    if "興味" in word and re.search(r"もう|今は|いまは", before):
        return "revoke", Polarity.LIKE
    if pattern(_FILE, "negated").search(tail):
        return _negated(before, tail, polarity)
    if pattern(_FILE, "retracted").search(tail):
        return "revoke", polarity
    if _could_not(text, hit) or (
        "ても" not in word
        and pattern(_FILE, "past").search(tail)
        and re.search(r"だった(?!り)|でした|やった|^で", tail)
    ):
        return _past(text, hit, polarity)
    if re.search(pattern(_FILE, "hedged"), tail) or pattern(_FILE, "hedge_before").search(before):
        return "upsert_candidate", polarity
    return "confirm", polarity


def _negated(before: str, tail: str, polarity: Polarity) -> tuple[str | None, Polarity]:
    no_longer = re.search(r"もう|今(?:は|で)|いまは|最近(?:は)?", before) is not None
    if polarity is Polarity.DISLIKE:
        return ("revoke", polarity) if no_longer else ("upsert_candidate", Polarity.LIKE)
    if no_longer or re.search(r"(?:前|以前|昔)ほど", before):
        return "revoke", polarity
    soft = re.search(r"そこまで|それほど|そんなに|別に", before) or pattern(_FILE, "hedged").search(tail)
    return ("upsert_candidate" if soft else "confirm"), Polarity.DISLIKE


def _past(text: str, hit: _Hit, polarity: Polarity) -> tuple[str | None, Polarity]:
    """A taste of the past counts only when the present is said to differ."""
    then = pattern(_FILE, "then").search(text[: hit.start])
    was = _could_not(text, hit) or re.match(r"^(?:だっ|でし|やっ)た(?!り)", hit.tail)
    if not was and not then:
        return "confirm", polarity
    rest = text[hit.end :]
    differs = re.search(r"け(?:れ)?ど|のに|が、|でも", rest)
    if pattern(_FILE, "now").search(rest) or (then and differs) or pattern(_FILE, "recovered").search(rest):
        return "revoke", polarity
    return None, polarity


def _could_not(text: str, hit: _Hit) -> bool:
    """飲めなかった: what could not be taken then."""
    return text[hit.start : hit.end].endswith(("なかった", "ませんでした"))


def _adnominal(text: str, hit: _Hit, polarity: Polarity) -> list[Taste]:
    """大好きなラーメンを食べた: the thing follows; categories and people are no subject."""
    word = text[hit.start : hit.end]
    if word not in {"大好き", "大嫌い", "苦手", "大好物"}:
        return []
    found = first_noun_phrases(list(tokens(hit.tail[1:])))
    if not found or found[0] in word_set("ja/food", "category") or len(found[0]) < 2:
        return []
    domain = domain_ja(found[0], text)
    return [Taste("confirm", domain, polarity, found[0])] if domain is Domain.FOOD else []


def _inverted(text: str) -> list[Taste]:
    """好きな食べ物は餃子, 趣味は釣り, 訂正、好きなのはそばじゃなくてうどん."""
    match = pattern(_FILE, "inverted").search(text)
    if not match:
        return []
    head, category = text[: match.start()], match["cat"] or ""
    if (
        category.endswith(("人", "子", "だけ", "ところ"))
        or _held_by_other(head, [])
        or head.endswith(("が", "を", "に"))
    ):
        return []
    value = match["value"]
    if (
        re.search(r"ない|増え|減|でき|誰|何|どこ|ある|あり(?!がと)|いる|いない", value)
        and "じゃな" not in value
    ):
        return []
    polarity = Polarity.DISLIKE if re.search("嫌|苦手|きらい", match["word"] or "") else Polarity.LIKE
    found: list[Taste] = []
    if correction := re.match(r"(?P<old>[^、。]+?)(?:じゃなくて?|ではなくて?|やなくて)、?(?P<new>.+)", value):
        found += [
            _taste("revoke", polarity, old, text)
            for old in first_noun_phrases(list(tokens(correction["old"])))
        ]
        value = correction["new"]
    op = "upsert_candidate" if re.search(r"かも", value) else "confirm"
    food = category in word_set("ja/food", "category")
    for subject in first_noun_phrases(list(tokens(value))):
        taste = _taste(op, polarity, subject, text)
        found.append(Taste(op, Domain.FOOD, polarity, subject) if food else taste)
    return found


def _preferred(text: str) -> list[Taste]:
    """コーヒーより紅茶のほうが好き → 紅茶."""
    match = pattern(_FILE, "preferred").search(text)
    if not match or match["word"] in {"いい", "良い", "嬉しい", "うれしい"}:
        return []
    value = re.split(r"より(?:も|は)?|よか|と比べ(?:て|たら|ると)", match["value"])[-1]
    before = text[: match.start("value")]
    if _held_by_other(before, []):
        return []
    subjects = noun_phrases_before(list(tokens(value)))
    op = "upsert_candidate" if pattern(_FILE, "hedged").search(text[match.end() :]) else "confirm"
    return [_taste(op, Polarity.LIKE, subject, text) for subject in subjects]


def _faction(text: str) -> list[Taste]:
    match = pattern(_FILE, "faction").search(text)
    if not match or _held_by_other(text[: match.start()], []):
        return []
    subjects = noun_phrases_before(list(tokens(match["value"])))
    return [
        _taste("confirm", Polarity.LIKE, subject, text)
        for subject in subjects
        if subject not in {"少数", "多数"}
    ]


def _ended(text: str, topic: str | None) -> list[Taste]:
    """飽きた, 食べられるようになった, 好きだったチョコがもう…ない: a taste that is over."""
    if faded := pattern(_FILE, "faded").search(text):
        subjects = noun_phrases_before(list(tokens(faded["value"])))
        return [_taste("revoke", Polarity.LIKE, subject, text) for subject in subjects]
    for section, polarity in (("bored", Polarity.LIKE), ("recovered", Polarity.DISLIKE)):
        match = pattern(_FILE, section).search(text)
        if not match:
            continue
        head = text[: match.start()]
        if section == "recovered" and fragments(_FILE, "dislike").search(head) and not _WAS.search(head):
            continue
        if (
            section == "bored"
            and fragments(_FILE, "like").search(head)
            and not re.match("もう|前ほど|以前ほど|昔ほど", match.group())
        ):
            head = head[: fragments(_FILE, "like").search(head).start()]  # type: ignore[union-attr]
        subjects = noun_phrases_before(list(tokens(head))) or ([topic] if topic else [])
        if section == "recovered" and not re.search("食べ|飲め|克服|いけ", match.group()):
            return []
        if subjects and not _held_by_other(head, subjects):
            return [_taste("revoke", polarity, subject, text) for subject in subjects]
    return []


def _subjects(text: str, hit: _Hit) -> list[str]:
    near = noun_phrases_before(list(tokens(_BOUNDARY.split(hit.before)[-1])))
    if near and tokens(near[-1])[-1].is_verb:
        near = _opening_topic(text[: hit.start]) or near
    if near and near[-1] in word_set(_FILE, "attribute"):
        return []
    if near and near[-1] not in word_set(_FILE, "not_subject") and not _is_person_word(near[-1]):
        return near
    if near and _is_person_word(near[-1]) and re.search(r"(?:が|のこと)\s*$", hit.before):
        return []
    wider = noun_phrases_before(list(tokens(hit.before))) if _BOUNDARY.search(hit.before) else []
    return _opening_topic(text[: hit.start]) or _fit(wider)


def _opening_topic(before: str) -> list[str]:
    """What the sentence sets out with: ししゃもは…, チョコミント、…"""
    opening = re.match(r"(?P<topic>[^、。はが]{1,20}?)(?:、|は|って|も(?![はが])|なら)", before)
    return _fit(noun_phrases_before(list(tokens(opening["topic"])))) if opening else []


def _fit(phrases: list[str]) -> list[str]:
    unfit = word_set(_FILE, "not_subject")
    return [phrase for phrase in phrases if not _is_person_word(phrase) and phrase not in unfit]


def _is_person_word(phrase: str) -> bool:
    bare = re.sub(r"^(?:うち|私|僕|俺|わたし)の|(?:たち|達|さん)$", "", phrase)
    return any(bare in word_set("ja/people", key) for key in ("family", "third", "you", "self"))


def _held_by_other(before: str, subjects: list[str]) -> bool:
    """True when somebody else is the topic: 父は…, 友達の沙也加は…, 田中さんも…"""
    people = "|".join(alternation("ja/people", name) for name in ("family", "third", "you"))
    if re.search(
        rf"(?:{people})(?!の(?:頃|ころ|時|とき))(?:の[^、。はがもを]{{1,8}})?(?:たち|達|さん)?(?:は|も|って|が(?=.{{2,}})|、|と(?:来|き)たら)",
        before,
    ):
        return not re.search(rf"(?:{alternation('ja/people', 'self')})(?:は|も|って)", before)
    named = re.search(
        r"[^、。はがもの\s]{1,8}(?:さん|くん|ちゃん|君|先生|先輩|氏)(?:は|も|って|が(?=.{2,}))", before
    )
    return named is not None or _name_as_topic(before)


def _name_as_topic(before: str) -> bool:
    words = list(tokens(before))
    return any(
        _is_name(word) and after.surface in {"は", "も", "って"} for word, after in pairwise(words)
    ) and bool(re.search(r"(?:は|も|って).*[がはを]", before))


def _is_name(token: Token) -> bool:
    return "人名" in token.pos


def _taste(op: str, polarity: Polarity, subject: str, text: str) -> Taste:
    subject = _bare_dish(subject)
    return Taste(op, domain_ja(subject, text), polarity, subject)


def _bare_dish(subject: str) -> str:
    """駅前のベーカリーのくるみパン → くるみパン: the shop a dish comes from is no part of it."""
    parts = subject.split("の")
    while len(parts) > 1 and _SHOP.search(parts[0]):
        parts.pop(0)
    return "の".join(parts)


def domain_ja(subject: str, text: str) -> Domain:
    """Food when the subject is one, ends like one, or is eaten or drunk in the same words."""
    foods, unlike = word_set("ja/food", "words"), word_set("ja/food", "not_food")
    subject = re.sub("(?<=.)(?:類|料理|全般)$", "", subject)
    if subject.removesuffix("もの") in word_set("ja/food", "flavour"):
        return Domain.FOOD
    if subject not in unlike and not foods.isdisjoint(
        {subject, _kana(subject, _TO_HIRA), _kana(subject, _TO_KATA)}
    ):
        return Domain.FOOD
    tail = re.search(rf"(?:{alternation_tail()})$", subject)
    if subject.endswith(("喫茶", "茶道", "茶会")):
        return Domain.TOPIC
    if (tail and tail.start() > 0) or _ends_in_food(subject) or _part_of_food(subject):
        return Domain.FOOD
    near = text[text.find(subject) + len(subject) :][:14] if subject in text else ""
    return Domain.FOOD if pattern("ja/food", "verbs").search(near) else Domain.TOPIC


def _kana(text: str, table: dict[int, int]) -> str:
    return text.translate(table)


def _part_of_food(subject: str) -> bool:
    """グレープフルーツの苦み, みかんの皮."""
    whole, _, part = subject.partition("の")
    return part in word_set("ja/food", "part") and whole in word_set("ja/food", "words")


def _ends_in_food(subject: str) -> bool:
    """クラフトコーラ, なすの漬物: the last word is a food. Short kana endings say too little."""
    foods = word_set("ja/food", "words")
    for size in range(2, min(8, len(subject))):
        ending = subject[-size:]
        if ending in foods and (size >= 3 or re.search("[々一-龥]", ending)):
            return True
    return False


def alternation_tail() -> str:
    """Endings of compound foods, kept as an alternation in the data file."""
    return pattern("ja/food", "tail").pattern
