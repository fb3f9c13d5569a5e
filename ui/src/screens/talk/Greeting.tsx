/** A line of the page's own when one comes back: the hour, how long it has been, and this day in other years. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, take } from "../../api/client";
import { keys } from "../../api/keys";
import { type Key, useSpeech } from "../../i18n";
import { now } from "../../lib/now";
import { link } from "../../lib/router";
import { gap } from "../../lib/time";
import type { TurnView } from "../../lib/turns";

export function hourKey(hour: number): Key {
  if (hour < 4) return "talk.greet.night";
  if (hour < 11) return "talk.greet.morning";
  return hour < 18 ? "talk.greet.day" : "talk.greet.evening";
}

const ABSENCE = 6 * 3600;

export function Greeting({ last }: { last: TurnView | undefined }) {
  const { t, language } = useSpeech();
  const [opened] = useState(() => now() / 1000);
  // Said on coming back, not in the middle of a talk.
  if (!last || last.fresh || opened - last.at < ABSENCE) return null;
  const apart = gap(last.at, opened, language);
  return (
    <div className="greeting" data-greeting>
      <p>
        {t(hourKey(new Date(opened * 1000).getHours()))} {apart && t("talk.greet.gap", { gap: apart })}
      </p>
      <OnThisDay />
    </div>
  );
}

function OnThisDay() {
  const { t } = useSpeech();
  const found = useQuery({ queryKey: keys.anniversaries, queryFn: () => take(api.GET("/api/memory/on-this-day")), staleTime: 3_600_000 }).data?.items[0];
  if (!found) return null;
  return (
    <p className="dim">
      {found.years_ago === 1 ? t("talk.year") : t("talk.years", { n: found.years_ago })}:{" "}
      <a href={link("chat", null, { turn: String(found.event.event_id) })}>{found.event.user_text}</a>
    </p>
  );
}
