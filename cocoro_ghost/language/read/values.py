"""Whether a phrase can fill a slot: a place, a job, an age, a name. Classes and endings are in tables."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache

from cocoro_ghost.language.read.clause import Clause, Phrase
from cocoro_ghost.language.read.illnesses import allergy_in, illness_in
from cocoro_ghost.language.read.kinds import Context, is_food, is_self, who_of, without_time
from cocoro_ghost.language.read.said_names import name_of, person_of
from cocoro_ghost.language.read.tables import either, endings, entries, phrases
from cocoro_ghost.model.event import EntityType

_AGE = re.compile(
    r"(\d{1,3}|[〇一二三四五六七八九十]{1,4})\s*(?:歳|才)|"
    r"^(\d{1,3})(?: years? old| years? of age| y/?o)?$|(\d{1,3})[- ]years?[- ]old"
)
_DECORATED = re.compile(r"^[^\w「『（(+#.]+|[^\w」』）)+#.!・]+$")
_BARE_AGE = re.compile(r"^(?:[1-9]\d|[二三四五六七八九]?十[一二三四五六七八九]?)$")
_PUPIL = re.compile(
    r"(?:大学|大学院|高校|中学校?|小学校?|専門学校|高専|短大)の?(?:[^、。はがを]{0,8}[学専]科?部?の?)?"
    r"[1-6１-６一二三四五六]年$|(?:[^、。はがを]{0,12}[学専]科?部?の?)?"
    r"(?:[1-6１-６一二三四五六]年生|[1-4１-４]回生|修士[12１２一二]?年?|博士[1-3]?年?)$"
    r"|(?:大学生|高校生|中学生|小学生|大学院生|院生|専門学生|受験生|浪人生|学生|留学生|高専生|短大生|予備校生|休学中)$"
    r"|^[小中高大][1-6１-６一二三四]$"
)
_SIBLINGS = re.compile(
    r"(?:[\d二三四五六]|ふた|三|四)(?:人|り)(?:兄弟|姉妹|きょうだい|家族|姉弟|兄妹)|一人っ子|ひとりっ子|一人娘|一人息子|末っ子|"
    r"(?:長男|長女|次男|次女|三男|三女|真ん中っ子)$|[\d一二三四]児の(?:母|父|パパ|ママ)|双子"
)
_COUNTED = re.compile(r"[\d一二三四五六七八九十]+(?:匹|羽|頭)$")
"""二匹 of 猫二匹."""
_ASKS = re.compile(
    r"何|なに|誰|だれ|どこ|どれ|どの|いつ|いくつ|どんな|\b(?:what|who|where|when|which|how)\b", re.IGNORECASE
)


def value_in(phrase: Phrase, kind: str, clause: Clause, context: Context) -> str:
    """The value a phrase gives for a slot, or nothing."""
    if (
        not phrase.text
        or _ASKS.search(phrase.text)
        or (is_self(phrase, context) and kind != "someone_or_none")
    ):
        return ""
    if not context.japanese and phrase.text.split()[0].lower() in entries("en/words", "prepositions"):
        return ""  # study for a licence
    phrase = without_time(phrase, context)
    phrase = phrase._replace(text=_DECORATED.sub("", phrase.text)) if context.japanese else phrase
    if not phrase.text:
        return ""
    check = _CHECKS.get(kind)
    return check(phrase, clause, context) if check is not None else ""


def noun_is(noun: Phrase, wanted: frozenset[str], clause: Clause, context: Context) -> bool:
    """True when a nominal predicate is of one of the classes or ends in one of the words."""
    classes, ends = _wanted(wanted)
    if noun.head in wanted or noun.text.lower() in wanted or (context.japanese and noun.text.endswith(ends)):
        return True
    return any(_NOUNS[name](noun, clause, context) for name in classes)


def wants_class(wanted: frozenset[str]) -> bool:
    """True where not words but classes of nouns are wanted."""
    return bool(_wanted(wanted)[0])


@cache
def _wanted(wanted: frozenset[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The classes among the words a row wants, and the words themselves."""
    classes = tuple(sorted(word for word in wanted if word in _NOUNS))
    return classes, tuple(wanted.difference(classes))


def _any(phrase: Phrase, clause: Clause, context: Context) -> str:
    return phrase.text


def _thing(phrase: Phrase, clause: Clause, context: Context) -> str:
    return "" if context.is_time(phrase) or who_of(phrase, context) is not None else phrase.text


def _taught(phrase: Phrase, clause: Clause, context: Context) -> str:
    """A subject of lessons, whatever it is: no pupil, and not what one shows a friend."""
    pupil = any(p.role == "に" and who_of(p, context) is not None for p in clause.phrases)
    loose = set(phrase.text.lower().split()) & entries("en/claims", "not_taught")
    return "" if pupil or loose else _thing(phrase, clause, context)


def _home(phrase: Phrase, clause: Clause, context: Context) -> str:
    bad = entries(f"{context.code}/claims", "not_place")
    if phrase.head in bad or phrase.text.lower() in bad or context.is_time(phrase):
        return ""
    moved = clause.by_role("obj") if clause.base == "move" else None
    if moved is not None and moved.text.lower() not in bad:
        return ""  # moved the sofa to the attic
    someone = who_of(phrase, context)
    # Where one lives is a place, though it may be a family's name as well: 上田, Georgia.
    called = someone.name if someone is not None and not someone.role else ""
    place = someone is None or (bool(called) and phrase.text.endswith(called))
    return phrase.text if place or phrase.head == "実家" else ""


def _place(phrase: Phrase, clause: Clause, context: Context) -> str:
    named = context.name_in(phrase, EntityType.PLACE)
    tails = phrases(f"{context.code}/claims", "place_tail")
    fits = bool(named) or phrase.text.endswith(tails) or (phrase.proper and not context.name_in(phrase))
    return phrase.text if fits and _home(phrase, clause, context) else ""


def _lives(phrase: Phrase, clause: Clause, context: Context) -> str:
    """仙台在住, 東京で一人暮らし."""
    if phrase.role != "=":
        return _place(phrase, clause, context)
    if "在住の" in phrase.text:
        return phrase.text.split("在住の", 1)[0]
    for tail in ("在住", "住み", "暮らし", "住まい"):
        if phrase.text.endswith(tail) and phrase.text != tail:
            place = phrase.text.removesuffix(tail).removesuffix("の")
            return (
                place
                if context.name_in(phrase, EntityType.PLACE)
                or place.endswith(phrases("ja/claims", "place_tail"))
                else ""
            )
    return ""


def _born_place(phrase: Phrase, clause: Clause, context: Context) -> str:
    place = re.sub(r"(?:の)?(?:出身|生まれ|育ち|産まれ|っ子)$", "", phrase.text)
    named = context.name_in(phrase, EntityType.PLACE) or (phrase.proper and place)
    return place if named and not re.search(r"\d|年|月|日$", place) else ""


def _date(phrase: Phrase, clause: Clause, context: Context) -> str:
    for period in context.times:
        if period.span[0] < phrase.span[1] and phrase.span[0] < period.span[1]:
            return (
                period.text
                if (period.granularity in {"day", "month", "year"} and not period.recurring)
                or re.search(r"[\d一二三四五六七八九十]", period.text)
                else ""
            )
    found = re.search(r"\d{1,2}(?:月\d{1,2}日|/\d{1,2})", phrase.text)
    return found[0] if found else ""


def _age(phrase: Phrase, clause: Clause, context: Context) -> str:
    if phrase.text.lower() in entries(f"{context.code}/claims", "age_words"):
        return phrase.text
    found = _AGE.search(phrase.text)
    if found and context.is_time(phrase) and not re.search(r"[歳才]|old", phrase.text):
        return ""  # the 3 of 6/3
    if found and context.japanese and phrase.text.isdigit() and len(phrase.text) < 2:
        return ""  # the 6 of みなと(6)
    if found and not re.search(r"頃|ころ|とき|時|まで|から|未満|以上", phrase.text):
        return next(filter(None, found.groups()), "")
    return phrase.text if _BARE_AGE.match(phrase.text) and phrase.role == "に" else ""


def _number(phrase: Phrase, clause: Clause, context: Context) -> str:
    found = re.search(r"\d{1,3}", phrase.text)
    return found[0] if found else ""


def _job_word(text: str, context: Context) -> bool:
    jobs = entries(f"{context.code}/lexicon", "job")
    if context.japanese:
        return (
            text in jobs
            or any(end in jobs for end in endings(text))
            or bool(
                re.search(
                    r"(?:師|士|員|家|職人|屋さん?|係|官|職|マン|ライター|デザイナー|エンジニア|スタッフ|担当|見習い)$",
                    text,
                )
            )
        )
    words = text.lower().split()
    last = words[-1] if words else ""
    known = {text.lower(), last, " ".join(words[-2:]), last.removesuffix("s")}
    return bool(known & jobs) or last.endswith(phrases("en/claims", "job_tail"))


def _job(phrase: Phrase, clause: Clause, context: Context) -> str:
    text = re.sub(r"の?\d+年目$", "", phrase.text) if context.japanese else phrase.text
    if not _job_word(text, context) or context.is_time(phrase):
        return ""
    if not context.japanese:
        return text
    never = text.rsplit("の", 1)[-1] in entries("ja/claims", "never_job")
    return "" if never else re.sub(r"の仕事$", "", text)


def _work(phrase: Phrase, clause: Clause, context: Context) -> str:
    """仕事は… : any noun that is no verdict."""
    verdict = entries(f"{context.code}/claims", "verdict")
    if context.is_time(phrase) or phrase.head in verdict or phrase.text in verdict:
        return ""
    return re.sub(r"(?:関係|系)?の仕事$", "", phrase.text)


def _work_place(phrase: Phrase, clause: Clause, context: Context) -> str:
    bad = entries(f"{context.code}/claims", "not_work_place")
    if context.is_time(phrase) or (context.japanese and phrase.head in bad) or phrase.text in bad:
        return ""
    text = re.sub(r"(?:勤務|勤め|の?(?:社員|パート|バイト|アルバイト)|配属|所属)$", "", phrase.text)
    if phrase.role == "=" and (text == phrase.text or not text):
        return ""
    return "" if who_of(phrase, context) is not None else text


def _ends(*sections: str) -> Callable[[Phrase, Clause, Context], str]:
    def check(phrase: Phrase, clause: Clause, context: Context) -> str:
        for section in sections:
            if phrase.text.lower().endswith(phrases(f"{context.code}/claims", section)):
                return phrase.text
        return ""

    return check


def _business(phrase: Phrase, clause: Clause, context: Context) -> str:
    """A shop, my bakery: something one can have. To start school is no business."""
    before = clause.text[: max(0, phrase.span[0] - clause.span[0])].rstrip().rpartition(" ")[2].lower()
    owned = either("en/words", "determiners", "possessive")
    bare = " " not in phrase.text and before not in owned and not context.japanese
    return "" if bare else _ends("work_tail")(phrase, clause, context)


def _left_work(phrase: Phrase, clause: Clause, context: Context) -> str:
    """書店 of 書店を辞めた: a work that is named, not any."""
    named = not either("ja/claims", "any_work", "lesson") & {phrase.text, phrase.head}
    return _ends("work_tail")(phrase, clause, context) if named else ""


def _listed(section: str) -> Callable[[Phrase, Clause, Context], str]:
    def check(phrase: Phrase, clause: Clause, context: Context) -> str:
        words = entries(f"{context.code}/claims", section)
        last = phrase.text.rsplit("の", 1)[-1]
        hit = phrase.head in words or last in words or any(end in words for end in endings(last))
        return phrase.text if hit else ""

    return check


def _pupil(phrase: Phrase, clause: Clause, context: Context) -> str:
    if not context.japanese:
        core = re.split(r" (?:in|at|from) ", phrase.text.lower())[0].split()
        pupil = bool({" ".join(core[-2:]), *core[-1:]} & entries("en/claims", "pupils"))
        return phrase.text if pupil else ""
    return phrase.text if _PUPIL.search(phrase.text) else ""


def _role(*kinds: str) -> Callable[[Phrase, Clause, Context], str]:
    def check(phrase: Phrase, clause: Clause, context: Context) -> str:
        found = who_of(phrase, context)
        if found is None or not found.role:
            return ""
        return phrase.text if any(context.is_a(found.role, kind) for kind in kinds) else ""

    return check


def _someone(phrase: Phrase, clause: Clause, context: Context) -> str:
    name = context.name_in(phrase, EntityType.PERSON)
    if name and phrase.role != "subj":
        return name
    if name and is_self(phrase, context):
        return name
    found = who_of(phrase, context)
    return phrase.text if found is not None and found.kind == "person" and found.role != "みんな" else ""


def _pet(phrase: Phrase, clause: Clause, context: Context) -> str:
    last = _COUNTED.sub("", phrase.text.rsplit("の", 1)[-1])
    said = [phrase.head, last, phrase.owner]
    if not context.japanese:
        # A lab is a dog where it stands last, and none in a lab meeting.
        core = re.split(r",| (?:called|named|and|who|with|from|that)\b", phrase.text.lower())[0].split()
        said = [" ".join(core[-2:]), *core[-1:]]
    return phrase.text if any(context.is_a(word, "pet") for word in said) else ""


def _pet_own(phrase: Phrase, clause: Clause, context: Context) -> str:
    owns = entries(f"{context.code}/words", "own")
    near = any(p.head in owns or p.owner in owns or p.text in {"うちに", "家に"} for p in clause.phrases)
    near = near or any(p.role == "に" and p.head in {"家", "うち", "我が家", "実家"} for p in clause.phrases)
    return _pet(phrase, clause, context) if near or phrase.owner in owns else ""


def _contains(section: str) -> Callable[[Phrase, Clause, Context], str]:
    def check(phrase: Phrase, clause: Clause, context: Context) -> str:
        text = f" {phrase.text.lower()} "
        return (
            phrase.text
            if any(f" {word} " in text for word in phrases(f"{context.code}/claims", section))
            else ""
        )

    return check


def _food(phrase: Phrase, clause: Clause, context: Context) -> str:
    return (
        phrase.text if is_food(phrase.text, context.language) else _contains("diet")(phrase, clause, context)
    )


_CHECKS: Mapping[str, Callable[[Phrase, Clause, Context], str]] = {
    "any": _any,
    "thing": _thing,
    "name": name_of,
    "person": person_of,
    "home": _home,
    "place": _place,
    "lives": _lives,
    "born_place": _born_place,
    "date": _date,
    "age": _age,
    "number": _number,
    "job": _job,
    "work": _work,
    "work_place": _work_place,
    "business": _business,
    "left_work": _left_work,
    "line_of_work": _listed("line_of_work"),
    "school": _ends("school_tail"),
    "study": _thing,
    "taught": _taught,
    "pupil": _pupil,
    "family": _role("family"),
    "couple": _role("couple"),
    "someone_or_none": _someone,
    "pet": _pet,
    "pet_own": _pet_own,
    "allergy": allergy_in,
    "illness": illness_in,
    "vehicle": _listed("vehicle"),
    "lesson": _listed("lesson"),
    "skill": _listed("skill"),
    "trade": _contains("trade"),
    "diet": _contains("diet"),
    "food": _food,
    "body": _contains("body"),
}


def _name_alone(noun: Phrase, clause: Clause, context: Context) -> bool:
    """健太です, I'm Priya: a nominal predicate that is a person's name, said of oneself."""
    others = [p for p in clause.phrases if p.span != noun.span and not is_self(p, context)]
    if not context.japanese:
        meant = {"it", "this"} if context.introducing else set()  # hiya, it's Freya
        alone = not noun.owner and all(p.text.lower() in meant for p in others)
        return alone and _is_capital_name(noun, clause, context)
    said = {*(p.text for p in others), *(mark.removeprefix("adv:") for mark in clause.marks)}
    greeted = not entries("ja/claims", "greetings").isdisjoint(said)
    if (others and not greeted) or (noun.owner and not _says_what_one_is(noun, clause, context)):
        return False
    last = noun.text.rsplit("の", 1)[-1]
    noun = noun._replace(text=last, span=(noun.span[1] - len(last), noun.span[1]), owner="")
    return _is_name_said(noun, clause, context, greeted=greeted)


def _says_what_one_is(noun: Phrase, clause: Clause, context: Context) -> bool:
    """大学生の蒼です: what one is stands before one's name; a 友達の蒼 is somebody else."""
    own = noun._replace(text=noun.owner, head=noun.owner, owner="", role="=")
    return any(_NOUNS[kind](own, clause, context) for kind in ("job", "pupil", "age"))


def _is_name_said(noun: Phrase, clause: Clause, context: Context, *, greeted: bool) -> bool:
    if context.introducing and re.fullmatch(r"[ぁ-んァ-ヶー一-龥々 　・]{1,10}", noun.text):
        return not any(test(noun, clause, context) for name, test in _NOUNS.items() if name != "name_alone")
    # 小野田さんだった is somebody else.
    named = bool(context.name_in(noun, EntityType.PERSON)) or (noun.proper and greeted)
    return named and not noun.text.endswith(("さん", "くん", "様"))


def _is_capital_name(noun: Phrase, clause: Clause, context: Context) -> bool:
    said = clause.words[:1] == ("be",) and not clause.has("neg", "question")
    named = noun.text[:1].isupper() and not context.name_in(noun, EntityType.PLACE)
    return said and named and bool(name_of(noun, clause, context))


_NOUNS: Mapping[str, Callable[[Phrase, Clause, Context], bool]] = {
    "name_alone": _name_alone,
    "age": lambda noun, clause, context: bool(_age(noun, clause, context)),
    "job": lambda noun, clause, context: bool(_job(noun, clause, context)),
    "pupil": lambda noun, clause, context: bool(_pupil(noun, clause, context)),
    "illness": lambda noun, clause, context: bool(illness_in(noun, clause, context)),
    "siblings": lambda noun, clause, context: bool(_SIBLINGS.search(noun.text)),
}
