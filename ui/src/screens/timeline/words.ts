/** Words of life in order. */
import { learn } from "../../i18n/known";
import type { Pair } from "../../i18n/pair";

export const timelineWords = {
  "time.title": ["So far", "これまで"],
  "time.lead": ["Life in order — by when things happened, or by when you told me.", "これまでのことを時の順に。起きた時でも、話した時でも。"],
  "time.by": ["Order by", "並べ方"],
  "time.about": ["when it happened", "起きた時"],
  "time.recorded": ["when it was told", "話した時"],
  "time.bucket": ["In", "区切り"],
  "time.day": ["days", "日"],
  "time.month": ["months", "月"],
  "time.count": ["{n} {n|time|times}", "{n} 件"],
  "time.empty": ["Nothing to place in time yet. Tell me about last summer, or your school days.", "まだ並べられるものがありません。去年の夏や学生のころの話を聞かせてください。"],
} as const satisfies Record<string, Pair>;

learn(timelineWords);
