/** The door: a token opens it, and the page says where to find one. */
import "./shell.css";
import { type FormEvent, useState } from "react";
import { ApiError, login } from "../api/client";
import { type T, useSpeech } from "../i18n";
import { Segments } from "../parts/bits";
import { explain } from "../parts/feedback";
import { Ghost } from "../parts/Ghost";

function problemOf(error: unknown, t: T): string {
  const status = error instanceof ApiError ? error.status : -1;
  if (status === 429) return t("login.many");
  return status === 401 || status === 403 || status === 422 ? t("login.wrong") : explain(error, t);
}

export function Login({ onIn }: { onIn: () => void }) {
  const { t } = useSpeech();
  const [token, setToken] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const enter = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    await login({ token: token.trim() }).then(onIn, (error: unknown) => setProblem(problemOf(error, t)));
    setBusy(false);
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
        <WhereToFind />
        <LanguageChoice />
      </form>
    </main>
  );
}

/** Nobody answers at the door: said kindly, asked again and again by whoever shows it. */
export function Away({ error, onRetry }: { error: unknown; onRetry: () => unknown }) {
  const { t } = useSpeech();
  const gone = error instanceof ApiError && error.status === 0;
  return (
    <main className="login">
      <div className="door" role="status">
        <Ghost mood="sad" />
        <h1>{t(gone ? "away.title" : "error.title")}</h1>
        <p>{gone ? t("state.offline") : explain(error, t)}</p>
        <button type="button" className="btn" onClick={() => onRetry()}>
          {t("error.retry")}
        </button>
      </div>
    </main>
  );
}

function WhereToFind() {
  const { t } = useSpeech();
  return (
    <div className="dim">
      <p>{t("login.how")}</p>
      <pre>python3 run.py token</pre>
      <p>{t("login.installed")}</p>
      <pre>cocoro-ghost token</pre>
      <p>{t("login.or")}</p>
    </div>
  );
}

export function LanguageChoice() {
  const { t, language, setLanguage } = useSpeech();
  return (
    <Segments
      label={t("set.language")}
      value={language}
      options={[
        ["ja", "日本語"],
        ["en", "English"],
      ]}
      onChange={setLanguage}
    />
  );
}
