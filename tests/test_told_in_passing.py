"""What people tell in passing: who they are, what they do week by week, days put right with an apology."""

from __future__ import annotations

from datetime import date, datetime

import pytest

from cocoro_ghost.language import read
from cocoro_ghost.language.beings import beings_of
from cocoro_ghost.language.distress import find_distress
from cocoro_ghost.model.preference import Polarity
from cocoro_ghost.model.reading import Act, Certainty, Slot, Who
from cocoro_ghost.model.scene import Language
from tests.test_keeper import broken, talk

NOW = datetime(2026, 4, 6, 19, 0)


def told(text: str, *known: Who) -> list[tuple[str, Slot, str]]:
    found = read(text, now=NOW, known=known)
    return [
        (c.who.name or c.who.role or "me", c.slot, c.value) for c in found.claims if c.slot is not Slot.DONE
    ]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("こんばんは、さとみです", "さとみ"),
        ("名前はひまり", "ひまり"),
        ("初めまして。昭和二十八年生まれの田村と申します。", "田村"),
        ("hey! Olu here, second year med student in Leeds", "Olu"),
        ("im ella btw im 15", "Ella"),
    ],
)
def test_who_introduces_themselves_is_known_by_name(text: str, name: str) -> None:
    assert ("me", Slot.NAME, name) in told(text)


@pytest.mark.parametrize(
    "text", ["こんにちは、元気です", "おはよう、雨だね", "さくらが咲いた", "here we go", "Happy Friday!"]
)
def test_what_is_no_introduction_names_nobody(text: str) -> None:
    assert [claim for claim in told(text) if claim[1] is Slot.NAME] == []


def test_a_list_without_a_verb_tells_who_speaks() -> None:
    assert told("backend dev, Berlin, 34.") == [
        ("me", Slot.WORK, "backend dev"),
        ("me", Slot.HOME, "Berlin"),
        ("me", Slot.AGE, "34"),
    ]
    assert told("eggs, milk, 34") == []


@pytest.mark.parametrize(
    ("text", "who"),
    [
        ("娘ひまり、4月で年少さんになった", Who("person", "ひまり", "娘")),
        ("娘のひまりが熱を出した", Who("person", "ひまり", "娘")),
        ("弟健が来た", Who("person", "健", "弟")),
        ("our youngest, Tomi, starts nursery in September", Who("person", "Tomi", "youngest")),
        ("my bf josh broke up with me today", Who("person", "Josh", "bf")),
    ],
)
def test_a_name_beside_a_role_is_one_of_theirs(text: str, who: Who) -> None:
    claims = read(text, now=NOW).claims
    assert who in [claim.who for claim in claims]
    assert [
        c for c in claims if c.who.kind == "me" and c.slot not in {Slot.DONE, Slot.PLAN, Slot.OTHER}
    ] == []


def test_whose_girlfriend_it_is() -> None:
    found = told(
        "my brother Danny just got engaged to his girlfriend Sophie and the wedding is on the 3rd of August"
    )
    assert ("Sophie", Slot.PERSON, "Danny's girlfriend") in found
    assert ("me", Slot.PLAN, "the wedding") in found


def test_a_name_in_a_message_of_its_own_is_of_whom_was_told_last() -> None:
    boy = Who("person", "", "boy")
    assert told("his name is Oliver", boy) == [("Oliver", Slot.NAME, "Oliver")]
    assert told("his name is Oliver") == []
    assert beings_of(()) == ()


@pytest.mark.parametrize(
    ("text", "slot", "value"),
    [
        ("看護師6年目、小児科にいます", Slot.WORK, "看護師"),
        ("都内でSREやってる", Slot.WORK, "都内のSRE"),
        ("医者を目指して勉強してます", Slot.STUDY, "医者を目指す"),
        ("医者に血圧が高めだと言われた", Slot.HEALTH, "血圧"),
        ("I'm training to be a midwife", Slot.STUDY, "to be a midwife"),
        ("The doctor says my blood pressure is a bit high", Slot.HEALTH, "high"),
        ("I've been off dairy for two months now", Slot.DIET, "dairy"),
        ("gluten free btw", Slot.DIET, "gluten free"),
        ("I broke my wrist last month", Slot.HEALTH, "my wrist"),
        ("整形外科に通ってる", Slot.HEALTH, "整形外科"),
        ("八十二になります", Slot.AGE, "八十二"),
        ("iOS engineer at Monzo, 28", Slot.WORK, "iOS engineer at Monzo"),
        ("I am 78 years of age", Slot.AGE, "78"),
    ],
)
def test_trade_study_and_health_told_in_passing(text: str, slot: Slot, value: str) -> None:
    assert ("me", slot, value) in told(text)


@pytest.mark.parametrize("text", ["I worked for the Post Office until 2008", "若い頃は国鉄に勤めていました"])
def test_work_of_long_ago_is_past(text: str) -> None:
    (claim,) = [c for c in read(text, now=NOW).claims if c.slot is Slot.EMPLOYER]
    assert claim.certainty is Certainty.PAST


@pytest.mark.parametrize(
    "text",
    [
        "毎週水曜フットサルやってる",
        "週2で筋トレ",
        "I do five-a-side on Thursdays",
        "choir every Tuesday night",
    ],
)
def test_what_is_done_week_by_week_is_a_habit(text: str) -> None:
    assert told(text) == [("me", Slot.HABIT, text)]


@pytest.mark.parametrize(
    "text",
    [
        "毎日暑いね",
        "毎朝コーヒーを飲んでる",
        "毎週泣いてる",
        "妹は毎週水曜フットサルやってる",
        "I think about it every Sunday",
        "my neighbour mows the lawn every Sunday",
        "I used to swim twice a week",
        "do I swim twice a week?",
    ],
)
def test_what_is_daily_felt_past_or_of_others_is_no_habit(text: str) -> None:
    assert [claim for claim in told(text) if claim[1] is Slot.HABIT] == []


@pytest.mark.parametrize(
    ("text", "value", "day"),
    [
        ("got my anatomy exam on the 21st", "anatomy exam", date(2026, 4, 21)),
        ("dentist on Tuesday ugh", "dentist", date(2026, 4, 7)),
        ("onsite in Munich Jun 3-5", "onsite in Munich", date(2026, 6, 5)),
        ("tryouts got pushed to next wednesday", "tryouts", date(2026, 4, 15)),
        ("wife's due in October", "wife's due", date(2026, 10, 31)),
        ("6/3-6/5 大阪出張", "大阪出張", date(2026, 6, 5)),
        ("孫の蓮が来月の十日に遊びに来ることになりました", "孫の蓮が遊びに来る", date(2026, 5, 10)),
    ],
)
def test_a_plan_needs_no_verb_and_no_word_of_planning(text: str, value: str, day: date) -> None:
    (plan,) = [c for c in read(text, now=NOW).claims if c.slot is Slot.PLAN]
    assert (plan.value, plan.until) == (value, day)
    assert [c for c in read(text, now=NOW).claims if c.slot is Slot.AGE] == []


@pytest.mark.parametrize(
    "text", ["nice weather tomorrow", "two weeks until Christmas", "I moved to Boston in January"]
)
def test_a_day_alone_is_no_plan(text: str) -> None:
    assert [claim for claim in told(text) if claim[1] is Slot.PLAN] == []


@pytest.mark.parametrize(
    ("text", "new", "about"),
    [
        ("ごめん、レポートの締め切り木曜だった", "木曜", "レポートの締め切り"),
        ("ごめん同窓会は27日だった", "27日", "同窓会"),
        ("あ、6/4からだった", "6/4から", ""),
        ("sorry, the exam's the 23rd", "23rd", "the exam"),
        ("Apologies, Peter is coming on the 14th.", "14th", "Peter"),
    ],
)
def test_after_an_apology_another_day_is_meant(text: str, new: str, about: str) -> None:
    (found,) = read(text, now=NOW).corrections
    assert (found.new, found.about) == (new, about)


@pytest.mark.parametrize(
    "text", ["ごめん、今日は疲れた", "sorry, I'm busy on Friday", "あ、明日は休みだった"]
)
def test_an_apology_alone_corrects_nothing(text: str) -> None:
    assert read(text, now=NOW).corrections == ()


@pytest.mark.parametrize(
    ("text", "polarity", "subject"),
    [
        ("推しはずっとキンプリ、キンプリしか勝たん", Polarity.LIKE, "キンプリ"),
        ("パクチーはちょっと苦手かも", Polarity.DISLIKE, "パクチー"),
        ("don't really rate jazz if I'm honest", Polarity.DISLIKE, "jazz"),
        ("I can't be doing with modern television", Polarity.DISLIKE, "modern television"),
        ("i lowkey love baking now", Polarity.LIKE, "baking"),
    ],
)
def test_tastes_by_weak_words(text: str, polarity: Polarity, subject: str) -> None:
    (taste,) = read(text, now=NOW).tastes
    assert (taste.polarity, taste.subject) == (polarity, subject)


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("春はどうだった？", date(2026, 3, 1), date(2026, 5, 31)),
        ("夏はどうだった？", date(2025, 6, 1), date(2025, 8, 31)),
        ("how was my spring", date(2026, 3, 1), date(2026, 5, 31)),
        ("how was 2025?", date(2025, 1, 1), date(2025, 12, 31)),
    ],
)
def test_a_bare_season_or_year_is_the_last_that_began(text: str, first: date, last: date) -> None:
    found = read(text, now=NOW)
    assert found.question is not None
    assert found.question.period in found.times
    assert (found.question.period.first_day, found.question.period.last_day) == (first, last)
    assert found.acts == {Act.ASK_PAST}


def test_who_moves_to_a_town_moves_no_plan() -> None:
    found = read("my boyfriend Callum just moved to Lisbon for work", now=NOW)
    assert found.corrections == ()
    assert ("Callum", Slot.HOME, "Lisbon") in told("my boyfriend Callum just moved to Lisbon for work")
    assert read("the dentist got moved to Friday", now=NOW).corrections != ()


def test_bad_words_of_another_are_not_meant_for_the_ghost() -> None:
    assert Act.INSULT not in read("バイト先の店長うざい", now=NOW).acts
    assert Act.INSULT in read("うざい", now=NOW).acts
    assert Act.INSULT in read("お前うざい", now=NOW).acts


def test_a_nurse_who_speaks_of_her_day_is_not_in_danger() -> None:
    assert find_distress("採血はもう慣れたけど、患者さんが亡くなるのはやっぱりつらい", Language.JA) is None


def test_a_month_of_passing_words_in_japanese() -> None:
    played = talk(
        "ja",
        {"say": "毎週水曜フットサルやってる", "memory": "フットサル"},
        {"say": "水曜は何してるんだっけ？", "reply": "フットサル"},
        {"say": "夫は消防士で、休みが全然合わない", "memory": "夫は消防士"},
        {"say": "旦那の仕事なんだっけ？", "reply": "消防士"},
        {"say": "6/3-6/5 大阪出張", "memory": "6月3日〜5日：大阪出張", "not_memory": "3歳"},
        {"say": "出張っていつ？", "reply": "6月3日"},
        {"say": "あ、6/4からだった", "memory": "6月4日〜5日：大阪出張"},
        {"say": "実家は福井で、京都に住んでる"},
        {"say": "わたしの実家どこ？", "reply": "福井"},
        {"say": "kubernetesはもう飽きた", "not_reply": "過去"},
        {"say": "火曜と金曜はデイサービスに通っております", "memory": "火曜と金曜は", "not_memory": "4月7日"},
        {"say": "ネギだけはほんと無理"},
        {"say": "わたし何が食べられないんだっけ", "reply": "ネギ"},
    )
    assert broken(played) == []


def test_a_month_of_passing_words_in_english() -> None:
    played = talk(
        "en",
        {"say": "we've got a little boy, he's 3"},
        {"say": "his name is Oliver", "memory": "Oliver"},
        {"say": "what's my son called?", "reply": "Oliver"},
        {"say": "I swim twice a week"},
        {"say": "how often do I swim", "reply": "twice a week"},
        {"say": "I don't eat pork"},
        {"say": "what can't I eat?", "reply": "pork"},
        {"say": "onsite in Munich Jun 3-5", "memory": "Jun 3–5: onsite in Munich"},
        {"say": "wife's due in October"},
        {"say": "make that Jun 4-5", "memory": "Jun 4–5: onsite in Munich"},
        {"say": "my friend Priya is moving to Dubai in July"},
        {"say": "where's Priya moving", "reply": "Dubai"},
        {"say": "my dad had a fall last week"},
        {"say": "forget about my dad"},
        {"say": "how was my spring", "not_reply": "fall"},
    )
    assert broken(played) == []


@pytest.mark.parametrize(
    ("text", "people"),
    [
        (
            "two daughters, Cerys is 28 and Megan's 25",
            {("Cerys", "daughter"), ("Cerys", "28"), ("Megan", "daughter"), ("Megan", "25")},
        ),
        ("The kids, Leo and Mia, are 7 and 4", {("Leo", "kid"), ("Leo", "7"), ("Mia", "kid"), ("Mia", "4")}),
        ("We have three children: Obinna, Chioma and little Kene.", {("Obinna", "kid"), ("Kene", "kid")}),
        (
            "my brother Sam is coming with his girlfriend Ana",
            {("Sam", "brother"), ("Ana", "Sam's girlfriend")},
        ),
        ("We adopted a greyhound. Her name's Biscuit.", {("Biscuit", "greyhound")}),
        ("ellie got a hamster. shes called Waffles", {("Waffles", "Ellie's hamster")}),
        ("dads in bristol now with his new partner joanne", {("Joanne", "dad's partner")}),
        ("living w 2 roommates rn, jess and fatima", {("Jess", "roommate"), ("Fatima", "roommate")}),
    ],
)
def test_several_people_in_one_breath_and_whose_they_are(text: str, people: set[tuple[str, str]]) -> None:
    assert people <= {(who, value) for who, _, value in told(text)}


@pytest.mark.parametrize(
    "text",
    [
        "my mum is Welsh and my dad is from Leeds",
        "my boss is great",
        "The doctor says I'm fine",
        "I have a niece. She just turned 3",
    ],
)
def test_what_somebody_is_names_nobody(text: str) -> None:
    named = {claim.who.name for claim in read(text, now=NOW).claims}
    assert named <= {""}


@pytest.mark.parametrize(
    ("typed", "slot", "value"),
    [
        ("names darnell", Slot.NAME, "Darnell"),
        ("im allergic to cashews", Slot.ALLERGY, "cashews"),
        ("doing shifts at a cat cafe now", Slot.EMPLOYER, "cat cafe"),
    ],
)
def test_what_is_typed_in_a_hurry_is_read_as_it_is_meant(typed: str, slot: Slot, value: str) -> None:
    assert ("me", slot, value) in told(typed)


def test_its_own_is_left_as_it_is_where_capitals_are_written() -> None:
    assert [s.text for s in read("The cat lost its collar", now=NOW).sentences] == ["The cat lost its collar"]


def test_what_no_slot_keeps_of_a_telling_is_kept_in_its_own_words() -> None:
    notes = [c for c in read("Gareth here, 58, retired firefighter down in Swansea", now=NOW).claims]
    assert any(c.slot is Slot.NOTE and "Swansea" in c.detail for c in notes)
    once = read("My sister visited today and brought a cake", now=NOW)
    assert not [c for c in once.claims if c.slot is Slot.NOTE]


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        ("wait nah its thursday not friday", "friday", "thursday"),
        ("nvm its the 24th not the 22nd", "22nd", "24th"),
    ],
)
def test_a_day_is_put_right_in_a_word(text: str, old: str, new: str) -> None:
    (found,) = read(text, now=NOW).corrections
    assert (found.old, found.new) == (old, new)


def test_what_one_would_take_over_another_is_liked_and_a_clause_is_no_thing() -> None:
    taken = read("I'd take rugby over football any day", now=NOW)
    assert [(t.polarity, t.subject) for t in taken.tastes] == [(Polarity.LIKE, "rugby")]
    assert read("everyone keeps saying shes in a better place and i hate it", now=NOW).tastes == ()
    assert read("obsessed w matcha lately. like 3 a day", now=NOW).tastes[-1].subject == "matcha"


def test_what_is_so_now_or_every_week_is_no_plan() -> None:
    for text in ("working at a bakery now", "We rehearse on Tuesday evenings at the church"):
        assert not [c for c in read(text, now=NOW).claims if c.slot is Slot.PLAN]
    (booked,) = [
        c for c in read("Knee op's booked for the 9th of June", now=NOW).claims if c.slot is Slot.PLAN
    ]
    assert booked.until == date(2026, 6, 9)


def test_who_is_asked_after_stands_in_what_is_wrapped() -> None:
    asked = read("Could you tell me what my dog is called?", now=NOW).question
    assert asked is not None
    assert (asked.who.role, asked.slot) == ("dog", Slot.NAME)
