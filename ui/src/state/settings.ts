/** Settings and status: read by many screens, saved whole. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api, take } from "../api/client";
import { keys } from "../api/keys";
import type { Settings } from "../api/types";

export function useSettings() {
  return useQuery({ queryKey: keys.settings, queryFn: () => take(api.GET("/api/settings")) });
}

export function useStatus(refetchInterval?: number) {
  return useQuery({ queryKey: keys.status, queryFn: () => take(api.GET("/api/status")), refetchInterval });
}

export function useSaveSettings() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (next: Settings) => take(api.PUT("/api/settings", { body: next })),
    onSuccess: (stored) => {
      queries.setQueryData(keys.settings, stored);
      void queries.invalidateQueries({ queryKey: keys.status });
    },
  });
}
