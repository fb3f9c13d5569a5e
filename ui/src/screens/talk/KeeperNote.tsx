/** Said for a few lines, then no more: the built-in mind remembers well and speaks briefly; another can be chosen. */
import { useState } from "react";
import { useSpeech } from "../../i18n";
import { link } from "../../lib/router";
import { useStatus } from "../../state/settings";

const TOLD = "keeper_told";
const FROM = 3;
const UNTIL = 6;

/** `hushed`: beside help for a person in need there is no place for this. */
export function KeeperNote({ turns, hushed }: { turns: number; hushed: boolean }) {
  const { t } = useSpeech();
  const [told, setTold] = useState(() => localStorage.getItem(TOLD) === "1");
  const status = useStatus().data;
  if (told || hushed || turns < FROM || turns >= UNTIL || !status?.mind.embedded) return null;
  const done = () => {
    localStorage.setItem(TOLD, "1");
    setTold(true);
  };
  return (
    <aside className="greeting" aria-label={t("talk.keeper.label")}>
      <p>{t("talk.keeper")}</p>
      <p className="row">
        <a className="btn small" href={link("settings", "model")} onClick={done}>
          {t("talk.keeper.choose")}
        </a>
        <button type="button" className="btn small quiet" onClick={done}>
          {t("talk.keeper.stay")}
        </button>
      </p>
    </aside>
  );
}
