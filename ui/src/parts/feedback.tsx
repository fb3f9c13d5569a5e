/** Saying what happened: toasts that can undo, questions before destructive acts, problems with a way out. */
import { createContext, type ReactNode, type SyntheticEvent, useCallback, useContext, useEffect, useMemo, useRef, useState } from "react";
import { ApiError, onReached } from "../api/client";
import { type Key, type T, useSpeech } from "../i18n";
import { known } from "../i18n/known";
import { Ghost } from "./Ghost";
import { Icon } from "./icons";

interface Toast {
  id: number;
  text: string;
  action?: { label: string; run: () => unknown };
}

interface Question {
  text: string;
  yes?: string;
  resolve: (yes: boolean) => void;
}

interface Feedback {
  say: (text: string, action?: Toast["action"]) => void;
  fail: (error: unknown) => void;
  ask: (text: string, yes?: string) => Promise<boolean>;
}

const FeedbackContext = createContext<Feedback | null>(null);

/** A sentence that says what to do, for any error. */
export function explain(error: unknown, t: T): string {
  if (!(error instanceof ApiError)) return t("error.other", { message: error instanceof Error ? error.message : String(error) });
  const chat = `talk.error.${error.code}`;
  if (error.code === "unreachable") return t("error.unreachable");
  if (chat in known) return t(chat as Key);
  if (error.status === 404 || error.status === 409 || error.status === 413) return t(`error.${error.status}`);
  if (error.status >= 500) return t("error.500");
  if (error.status === 422 || error.status === 400) return t("error.422", { message: error.message });
  return t("error.other", { message: error.message });
}

export function FeedbackProvider({ children }: { children: ReactNode }) {
  const { t } = useSpeech();
  const [toasts, setToasts] = useState<Toast[]>([]);
  const [question, setQuestion] = useState<Question | null>(null);
  const next = useRef(1);

  const drop = useCallback((id: number) => setToasts((all) => all.filter((x) => x.id !== id)), []);
  const say = useCallback(
    (text: string, action?: Toast["action"]) => {
      const id = next.current++;
      setToasts((all) => [...all.slice(-2), { id, text, action }]);
      setTimeout(() => drop(id), action ? 12_000 : 5_000);
    },
    [drop],
  );
  const value = useMemo<Feedback>(
    () => ({
      say,
      fail: (error) => say(explain(error, t)),
      ask: (text, yes) => new Promise((resolve) => setQuestion({ text, yes, resolve })),
    }),
    [say, t],
  );
  const answer = (yes: boolean) => {
    question?.resolve(yes);
    setQuestion(null);
  };
  return (
    <FeedbackContext value={value}>
      {children}
      <div className="toasts" role="status" aria-live="polite">
        {toasts.map((toast) => (
          <div className="toast" key={toast.id}>
            <span className="grow">{toast.text}</span>
            {toast.action && (
              <button
                type="button"
                className="btn small"
                onClick={() => {
                  toast.action?.run();
                  drop(toast.id);
                }}
              >
                {toast.action.label}
              </button>
            )}
            <button type="button" className="btn small icon" aria-label={t("act.dismiss")} onClick={() => drop(toast.id)}>
              <Icon name="close" />
            </button>
          </div>
        ))}
      </div>
      {question && <Ask question={question} onAnswer={answer} />}
    </FeedbackContext>
  );
}

function Ask({ question, onAnswer }: { question: Question; onAnswer: (yes: boolean) => void }) {
  const { t } = useSpeech();
  const box = useRef<HTMLDialogElement>(null);
  useEffect(() => box.current?.showModal(), []);
  // Closed before it goes: only then does the focus return to where the question came from.
  const answer = (yes: boolean) => {
    box.current?.close();
    onAnswer(yes);
  };
  const onCancel = (event: SyntheticEvent) => {
    event.preventDefault();
    answer(false);
  };
  return (
    <dialog ref={box} aria-label={question.yes ?? t("ask.title")} aria-describedby="ask-text" onCancel={onCancel}>
      <p id="ask-text">{question.text}</p>
      <div className="row">
        <button type="button" className="btn" onClick={() => answer(false)}>
          {t("act.cancel")}
        </button>
        <button type="button" className="btn main" onClick={() => answer(true)}>
          {question.yes ?? t("act.yes")}
        </button>
      </div>
    </dialog>
  );
}

export function useFeedback(): Feedback {
  const feedback = useContext(FeedbackContext);
  if (!feedback) throw new Error("FeedbackProvider is missing");
  return feedback;
}

interface ProblemProps {
  error?: unknown;
  text?: string;
  onRetry?: () => unknown;
}

/** What went wrong and the way out; when nobody answered, it tries again by itself as soon as somebody does. */
export function Problem({ error, text, onRetry }: ProblemProps) {
  const { t } = useSpeech();
  const away = error instanceof ApiError && error.status === 0;
  useEffect(() => (away && onRetry ? onReached(() => onRetry()) : undefined), [away, onRetry]);
  return (
    <div className={away ? "problem away" : "problem"} role="alert">
      {!away && <strong>{t("error.title")}</strong>}
      <span>{text ?? explain(error, t)}</span>
      {onRetry && (
        <button type="button" className="btn small" onClick={() => onRetry()}>
          {t("error.retry")}
        </button>
      )}
    </div>
  );
}

export function Loading() {
  const { t } = useSpeech();
  return (
    <div className="loading" role="status">
      {t("state.loading")}
    </div>
  );
}

export function Empty({ children }: { children: ReactNode }) {
  return (
    <div className="empty">
      <Ghost />
      <p>{children}</p>
    </div>
  );
}
