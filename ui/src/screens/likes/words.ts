/** Words of likes and dislikes. */
import { learn } from "../../i18n/known";
import type { Pair } from "../../i18n/pair";

export const likeWords = {
  "like.title": ["Likes and dislikes", "好き嫌い"],
  "like.lead": ["I only say “you like…” for what you told me in your own words. The rest waits here as a guess.", "「好きだよね」と言うのは、あなたがはっきり言ったことだけ。それ以外は、ここで推測として待っています。"],
  "like.confirmed": ["Confirmed", "確か"],
  "like.candidate": ["Guesses", "推測"],
  "like.revoked": ["No longer", "いまは違う"],
  "like.confirm": ["Yes, that's right", "そのとおり"],
  "like.revoke": ["Not so", "違う"],
  "like.like": ["likes", "好き"],
  "like.dislike": ["dislikes", "苦手"],
  "like.food": ["food", "食べもの"],
  "like.topic": ["topics", "話題"],
  "like.style": ["ways of talking", "話し方"],
  "like.empty": ["Nothing yet. Say what you love or cannot stand, and it appears here.", "まだありません。好きなもの、苦手なものを話すと、ここに並びます。"],
  "like.seen": ["said {when}", "{when}に聞きました"],
  "like.changed": ["{subject}: changed.", "「{subject}」を変更しました。"],
} as const satisfies Record<string, Pair>;

learn(likeWords);
