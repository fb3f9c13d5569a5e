/** One recall laid open: plan, routes, candidates, seats, what was kept and what the mind was given. */
import { useState } from "react";
import { useSpeech } from "../../i18n";
import { link } from "../../lib/router";
import { duration } from "../../lib/time";
import type { CandidateLine, SectionLine, SelectedLine, Trace } from "./trace";
import { Bar } from "../../parts/bits";

const SHOWN = 20;

export function TraceView({ trace }: { trace: Trace }) {
  const { t, word } = useSpeech();
  return (
    <>
      <p className="chips">
        <span className="chip accent">{word("mode", trace.mode)}</span>
        <span className="dim num">
          {t("why.total", { n: trace.selected.length, m: Math.max(trace.found, trace.candidates.length), time: duration(trace.ms) })}
        </span>
        {trace.selectedBy && <span className="chip">{t("why.by", { who: word("chooser", trace.selectedBy) })}</span>}
      </p>
      <h2>{t("why.selected")}</h2>
      {trace.selected.length === 0 && <p className="dim">{t("why.selected.none")}</p>}
      <ol className="stack">
        {trace.selected.map((s) => (
          <SelectedItem key={s.ref} line={s} />
        ))}
      </ol>
      <details className="steps">
        <summary>{t("why.details")}</summary>
        <div className="stack">
          <Steps trace={trace} />
        </div>
      </details>
    </>
  );
}

function Steps({ trace }: { trace: Trace }) {
  const { t } = useSpeech();
  return (
    <>
      {trace.routes.length > 0 && <Routes trace={trace} />}
      {trace.sections.length > 0 && <Pack trace={trace} />}
      {trace.text && (
        <details>
          <summary>{t("why.text")}</summary>
          <pre className="packed">{trace.text}</pre>
        </details>
      )}
      <Candidates lines={trace.candidates} />
      {trace.quotas.length > 0 && <Quotas trace={trace} />}
      {trace.plan.length > 0 && (
        <details>
          <summary>{t("why.plan")}</summary>
          <dl className="facts">
            {trace.plan.map(([name, value]) => (
              <div key={name}>
                <dt>{name.replaceAll("_", " ")}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </>
  );
}

function RefLink({ refId, text }: { refId: string; text: string }) {
  if (!/^[es]\d+$/.test(refId)) return <span>{text || refId}</span>;
  return <a href={link("memory", refId, { tab: refId.startsWith("e") ? "events" : null })}>{text || refId}</a>;
}

function kindOf(ref: string): "event" | "state" | "affect" {
  return ref.startsWith("s") ? "state" : ref.startsWith("a") ? "affect" : "event";
}

function SelectedItem({ line }: { line: SelectedLine }) {
  const { t, word } = useSpeech();
  return (
    <li className="quote">
      <p>
        <span className={`chip node-${kindOf(line.ref)}`}>{word("kind", kindOf(line.ref))}</span> <RefLink refId={line.ref} text={line.snippet} />
      </p>
      {line.reason && (
        <p className="dim">
          {t("why.reason")}: {line.reason}
        </p>
      )}
    </li>
  );
}

function Routes({ trace }: { trace: Trace }) {
  const { t, word } = useSpeech();
  const longest = Math.max(1, ...trace.routes.map((r) => r.ms));
  return (
    <section className="stack">
      <h2>{t("why.routes")}</h2>
      <div className="scroller" tabIndex={0} role="group" aria-label={t("why.routes")}>
        <table className="plain">
          <thead>
            <tr>
              <th>{t("why.route")}</th>
              <th className="n">{t("why.hits")}</th>
              <th className="n">{t("why.time")}</th>
              <th className="wide-only" aria-hidden="true" />
              <th>{t("why.status")}</th>
            </tr>
          </thead>
          <tbody>
            {trace.routes.map((r) => (
              <tr key={r.route}>
                <td>{word("route", r.route)}</td>
                <td className="n">{r.hits}</td>
                <td className="n">{duration(r.ms)}</td>
                <td className="wide-only">
                  <Bar part={r.ms / longest} late={r.status !== "ok"} />
                </td>
                <td>
                  {word("routestat", r.status)}
                  {r.note && <span className="dim"> {r.note}</span>}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function Pack({ trace }: { trace: Trace }) {
  const { t, word } = useSpeech();
  const total = Math.max(1, trace.tokens);
  const some = trace.sections.filter((s: SectionLine) => s.tokens > 0);
  return (
    <section className="stack">
      <h2>{t("why.pack")}</h2>
      <p className="dim num">{t("why.tokens", { n: trace.tokens })}</p>
      <div className="shares" aria-hidden="true">
        {some.map((s, at) => (
          <b key={s.name} className={`share${at % 6}`} style={{ flexGrow: s.tokens / total }} />
        ))}
      </div>
      <ul className="chips">
        {some.map((s, at) => (
          <li key={s.name} className="chip">
            <i className={`dot share${at % 6}`} aria-hidden="true" />
            {word("pack", s.name)} {t("why.tokens", { n: s.tokens })}
            {s.dropped > 0 && <span className="dim">{t("why.dropped", { n: s.dropped })}</span>}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Candidates({ lines }: { lines: CandidateLine[] }) {
  const { t, word } = useSpeech();
  const [all, setAll] = useState(false);
  const best = Math.max(1e-9, ...lines.map((c) => c.score));
  return (
    <section className="stack">
      <h2>{t("why.fusion")}</h2>
      {lines.length === 0 ? (
        <p className="dim">{t("why.fusion.none")}</p>
      ) : (
        <div className="scroller" tabIndex={0} role="group" aria-label={t("why.fusion")}>
          <table className="plain">
            <thead>
              <tr>
                <th>{t("nav.memory")}</th>
                <th className="n">{t("why.score")}</th>
                <th>{t("why.routes")}</th>
              </tr>
            </thead>
            <tbody>
              {lines.slice(0, all ? undefined : SHOWN).map((c) => (
                <tr key={c.ref} className={c.selected ? "chosen" : undefined}>
                  <td className="clip">
                    <RefLink refId={c.ref} text={c.text} />
                  </td>
                  <td className="n">
                    {c.score.toFixed(3)}
                    <Bar part={c.score / best} />
                  </td>
                  <td>
                    <span className="chips">
                      {c.routes.map((r) => (
                        <span className="chip" key={r}>
                          {word("route", r)}
                        </span>
                      ))}
                    </span>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {!all && lines.length > SHOWN && (
        <button type="button" className="btn small" onClick={() => setAll(true)}>
          {t("state.more")}
        </button>
      )}
    </section>
  );
}

function Quotas({ trace }: { trace: Trace }) {
  const { t, word } = useSpeech();
  const most = Math.max(1, ...trace.quotas.map((q) => q.used));
  return (
    <section className="stack">
      <h2>{t("why.quotas")}</h2>
      <ul className="quotas">
        {trace.quotas.map((q) => (
          <li key={q.name}>
            <span>{word("quota", q.name)}</span>
            <Bar part={q.used / most} />
            <span className="dim num">{q.used}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
