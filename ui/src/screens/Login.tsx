/** The door: a token opens it, and the page says where to find one. */
import { type FormEvent, useState } from "react";
import { ApiError, api } from "../api/client";
import { useSpeech } from "../i18n";
import { Segments } from "../parts/bits";
import { explain } from "../parts/feedback";
import { Ghost } from "../parts/Ghost";

export function Login({ onIn }: { onIn: () => void }) {
  const { t, language, setLanguage } = useSpeech();
  const [token, setToken] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  const enter = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    try {
      await api.post("/api/auth/login", { token: token.trim() });
      onIn();
    } catch (error) {
      const refused = error instanceof ApiError && (error.status === 401 || error.status === 403 || error.status === 422);
      setProblem(refused ? t("login.wrong") : explain(error, t));
    } finally {
      setBusy(false);
    }
  };
  return (
    <main className="login">
      <form onSubmit={enter}>
        <Ghost mood={problem ? "sad" : "calm"} />
        <h1>{t("login.title")}</h1>
        <p>{t("login.lead")}</p>
        <label className="field">
          <span>{t("login.token")}</span>
          <input
            className="input"
            type="password"
            autoComplete="current-password"
            required
            value={token}
            aria-invalid={problem !== null}
            aria-describedby={problem ? "login-problem" : undefined}
            onChange={(e) => setToken(e.target.value)}
          />
        </label>
        {problem && (
          <p id="login-problem" className="problem" role="alert">
            {problem}
          </p>
        )}
        <button type="submit" className="btn main" disabled={busy}>
          {t("login.go")}
        </button>
        <div className="dim">
          <p>{t("login.how")}</p>
          <pre>cocoro-ghost token</pre>
          <p>{t("login.or")}</p>
        </div>
        <Segments
          label={t("language.label")}
          value={language}
          options={[
            ["ja", "日本語"],
            ["en", "English"],
          ]}
          onChange={setLanguage}
        />
      </form>
    </main>
  );
}
