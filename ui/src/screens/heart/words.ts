/** Words of the heart. */
import { learn } from "../../i18n/known";
import type { Pair } from "../../i18n/pair";

export const heartWords = {
  "heart.title": ["Heart", "こころ"],
  "heart.lead": ["How I have been feeling. Click a day or a mark to see the talk behind it.", "わたしの気分の移り変わり。日や印を押すと、そのときのやりとりが開きます。"],
  "heart.now": ["Now", "いま"],
  "heart.baseline": ["mood of late", "このごろの気分"],
  "heart.shock": ["sway of the moment", "そのときのゆれ"],
  "heart.total": ["Mood now", "いまの気分"],
  "heart.v": ["Pleasure", "心地よさ"],
  "heart.a": ["Energy", "高ぶり"],
  "heart.d": ["Confidence", "自信"],
  "heart.axis": ["Line", "見る線"],
  "heart.range": ["Period", "期間"],
  "heart.day": ["24 hours", "24 時間"],
  "heart.week": ["7 days", "7 日"],
  "heart.month": ["30 days", "30 日"],
  "heart.year": ["1 year", "1 年"],
  "heart.days": ["Day by day", "日ごと"],
  "heart.affects": ["Moments", "感じた瞬間"],
  "heart.empty": ["No feelings yet. They come with talk: each leaves a small mark.", "まだ感情の記録がありません。話すたびに、小さな印が残ります。"],
  "heart.chart": ["Mood over time, {from} to {to}. The moments are listed below.", "{from} から {to} までの気分。瞬間は下の一覧にあります。"],
  "heart.headline.v": ["{how} {trend}", "{how}{trend}"],
  "heart.word.verylow": ["Rather low", "かなり沈んだ気分"],
  "heart.word.low": ["A little low", "少し沈んだ気分"],
  "heart.word.even": ["Calm", "おだやかな気分"],
  "heart.word.high": ["A little bright", "少し明るい気分"],
  "heart.word.veryhigh": ["Bright", "とても明るい気分"],
  "heart.trend.up": ["and rising over this time.", "で、上向いています。"],
  "heart.trend.down": ["and sinking over this time.", "で、下がり気味です。"],
  "heart.trend.flat": ["and steady over this time.", "が続いています。"],
  "heart.calendar": ["A year at a glance", "一年をひと目で"],
  "heart.strongest": ["{day}: {text}", "{day}: {text}"],
  "heart.nothing": ["{day}: no feeling noted", "{day}: 記録なし"],
  "heart.numbers": ["Show the numbers", "数字を見る"],
  "heart.hover": ["Move along the line to read it; click for the talk.", "線の上を動かすと値が読めます。押すとやりとりが開きます。"],
} as const satisfies Record<string, Pair>;

learn(heartWords);
