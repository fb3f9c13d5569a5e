/** This browser's own choices: language, colours, voice, notices. */
import { useState } from "react";
import { logout } from "../../api/client";
import { useSpeech } from "../../i18n";
import { type Theme, useTheme } from "../../lib/theme";
import { Segments } from "../../parts/bits";
import { useFeedback } from "../../parts/feedback";
import { LanguageChoice } from "../../shell/Login";
import { allowNotices, wantsNotices } from "../../state/unread";
import { setVoice, voiceOn } from "../talk/voice";

export function Look() {
  const { t } = useSpeech();
  const [theme, setTheme] = useTheme();
  const leave = async () => {
    await logout();
    location.reload();
  };
  return (
    <section className="card stack" aria-labelledby="set-look">
      <h2 id="set-look">{t("set.look")}</h2>
      <div className="row">
        <LanguageChoice />
        <Segments<Theme> label={t("theme.label")} value={theme} options={(["auto", "light", "dark"] as const).map((one) => [one, t(`theme.${one}`)])} onChange={setTheme} />
        <span className="grow" />
        <button type="button" className="btn quiet" onClick={leave}>
          {t("login.out")}
        </button>
      </div>
      <Senses />
    </section>
  );
}

function Senses() {
  const { t } = useSpeech();
  const { say } = useFeedback();
  const [voice, chooseVoice] = useState(voiceOn);
  const [notices, chooseNotices] = useState(wantsNotices);
  const notify = async (on: boolean) => {
    const allowed = await allowNotices(on);
    chooseNotices(allowed);
    if (on && !allowed) say(t("set.notices.no"));
  };
  return (
    <>
      <label className="check">
        <input type="checkbox" checked={notices} onChange={(e) => void notify(e.target.checked)} />
        {t("set.notices")}
      </label>
      <label className="check">
        <input
          type="checkbox"
          checked={voice}
          onChange={(e) => {
            setVoice(e.target.checked);
            chooseVoice(e.target.checked);
          }}
        />
        {t("set.voice")}
      </label>
      {voice && <p className="dim">{t("set.voice.lead")}</p>}
    </>
  );
}
