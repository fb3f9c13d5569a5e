/** All words, gathered from the rooms that speak them: what `Key` is made of. The page itself loads them room by room (known.ts). */
import { aboutWords } from "../screens/about/words";
import { careWords } from "../screens/care/words";
import { connectionWords } from "../screens/connections/words";
import { graphWords } from "../screens/graph/words";
import { heartWords } from "../screens/heart/words";
import { likeWords } from "../screens/likes/words";
import { logWords } from "../screens/logs/words";
import { memoryWords } from "../screens/memory/words";
import { reminderWords } from "../screens/reminders/words";
import { settingWords } from "../screens/settings/words";
import { talkWords } from "../screens/talk/words";
import { timelineWords } from "../screens/timeline/words";
import { whyWords } from "../screens/why/words";
import { shellWords } from "../shell/words";
import { sharedWords } from "./shared";

export const words = {
  ...sharedWords,
  ...shellWords,
  ...talkWords,
  ...aboutWords,
  ...memoryWords,
  ...whyWords,
  ...heartWords,
  ...timelineWords,
  ...likeWords,
  ...graphWords,
  ...careWords,
  ...reminderWords,
  ...settingWords,
  ...logWords,
  ...connectionWords,
};
