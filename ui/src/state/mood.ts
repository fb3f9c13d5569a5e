/** The ghost's mood and its clock, asked for by whoever shows them. */
import { useQuery } from "@tanstack/react-query";
import { api, take } from "../api/client";
import { keys } from "../api/keys";
import { setAhead } from "../lib/now";

export function useMood() {
  return useQuery({ queryKey: keys.moodNow, queryFn: () => take(api.GET("/api/mood/debug")), refetchInterval: 15_000 });
}

export async function followClock(): Promise<number> {
  const time = await take(api.GET("/api/control/time"));
  setAhead(time.domain_offset_seconds);
  return time.domain_offset_seconds;
}

/** The ghost's clock may be moved at any time. */
export function useClock(): void {
  useQuery({ queryKey: keys.clock, queryFn: followClock, refetchInterval: 30_000 });
}
