/** What the language model was used for today, and what it cost. */
import type { UsageRow } from "../../api/types";
import { useSpeech } from "../../i18n";

type Row = UsageRow & { cost_usd?: number | null };

export function Usage({ rows }: { rows: Row[] }) {
  const { t, word, language } = useSpeech();
  const today = rows.filter((row) => row.day === rows[0]?.day);
  const money = new Intl.NumberFormat(language, { style: "currency", currency: "USD", maximumFractionDigits: 4 });
  const priced = today.some((row) => typeof row.cost_usd === "number");
  return (
    <>
      <h3>{t("set.usage")}</h3>
      {today.length === 0 && <p className="dim">{t("set.usage.none")}</p>}
      {today.length > 0 && (
        <div className="scroller" tabIndex={0} role="group" aria-label={t("set.usage")}>
          <table className="plain">
            <thead>
              <tr>
                <th>{t("set.llm_model")}</th>
                <th>{t("set.usage.purpose")}</th>
                <th className="n">{t("set.usage.calls")}</th>
                <th className="n">{t("set.usage.in")}</th>
                <th className="n">{t("set.usage.out")}</th>
                {priced && <th className="n">{t("set.usage.cost")}</th>}
              </tr>
            </thead>
            <tbody>
              {today.map((row) => (
                <tr key={row.model + row.purpose}>
                  <td>{row.model}</td>
                  <td>{word("usage", row.purpose)}</td>
                  <td className="n">{row.calls}</td>
                  <td className="n">{row.input_tokens.toLocaleString(language)}</td>
                  <td className="n">{row.output_tokens.toLocaleString(language)}</td>
                  {priced && <td className="n">{typeof row.cost_usd === "number" ? money.format(row.cost_usd) : "—"}</td>}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  );
}
