/** The page: signed in or not, then one screen at a time; heavy screens load when first opened. */
import { QueryClient, QueryClientProvider, useQuery } from "@tanstack/react-query";
import { type ComponentType, useEffect, useState } from "react";
import { ApiError, api, loginByLink, onReached, onSignedOut, take } from "./api/client";
import { keys } from "./api/keys";
import { SpeechProvider } from "./i18n";
import { useRoute } from "./lib/router";
import { Fence, loadable } from "./parts/Fence";
import { FeedbackProvider, Loading, Problem } from "./parts/feedback";
import { Talk } from "./screens/talk/Talk";
import { Away, Login } from "./shell/Login";
import { Shell } from "./shell/Shell";
import { followClock } from "./state/mood";
import { TalkProvider } from "./state/talk";

const SCREENS: Record<string, ComponentType> = {
  chat: Talk,
  about: loadable(() => import("./screens/about/About")),
  memory: loadable(() => import("./screens/memory/Memory")),
  why: loadable(() => import("./screens/why/Why")),
  heart: loadable(() => import("./screens/heart/Heart")),
  timeline: loadable(() => import("./screens/timeline/Timeline")),
  likes: loadable(() => import("./screens/likes/Likes")),
  graph: loadable(() => import("./screens/graph/Graph")),
  care: loadable(() => import("./screens/care/Care")),
  reminders: loadable(() => import("./screens/reminders/Reminders")),
  connections: loadable(() => import("./screens/connections/Connections")),
  settings: loadable(() => import("./screens/settings/Settings")),
  logs: loadable(() => import("./screens/logs/Logs")),
};

function refused(error: unknown): boolean {
  return error instanceof ApiError && error.status >= 400 && error.status < 500;
}

export function makeClient(): QueryClient {
  const client = new QueryClient({
    defaultOptions: { queries: { staleTime: 5_000, retry: (count, error) => count < 2 && !refused(error) } },
  });
  let away = false;
  client.getQueryCache().subscribe(({ query }) => {
    away ||= query.state.error instanceof ApiError && query.state.error.status === 0;
  });
  // The ghost answers again: whatever is on the screen and failed meanwhile is asked for once more.
  onReached(() => {
    if (!away) return;
    away = false;
    void client.refetchQueries({ type: "active", predicate: (query) => query.state.status === "error" });
  });
  return client;
}

const shared = makeClient();

export function App({ client = shared }: { client?: QueryClient }) {
  return (
    <SpeechProvider>
      <FeedbackProvider>
        <Fence fallback={(error, retry) => <div className="page"><Problem error={error} onRetry={retry} /></div>}>
          <QueryClientProvider client={client}>
            <Gate client={client} />
          </QueryClientProvider>
        </Fence>
      </FeedbackProvider>
    </SpeechProvider>
  );
}

/** Allowed in? Then also learn what time it is for the ghost. */
async function enter(): Promise<true> {
  await loginByLink();
  await take(api.GET("/api/settings"));
  await followClock();
  return true;
}

function Gate({ client }: { client: QueryClient }) {
  const [out, setOut] = useState(false);
  const check = useQuery({ queryKey: keys.gate, queryFn: enter, staleTime: Number.POSITIVE_INFINITY, retry: 0, refetchInterval: (query) => (query.state.status === "error" && !refused(query.state.error) ? 3_000 : false) });
  useEffect(() => onSignedOut(() => setOut(true)), []);
  const onIn = () => {
    client.clear();
    setOut(false);
    void check.refetch();
  };
  if (out || (check.error instanceof ApiError && check.error.status === 401)) return <Login onIn={onIn} />;
  if (check.isPending) return <Loading />;
  if (check.error) return <Away error={check.error} onRetry={check.refetch} />;
  return (
    <TalkProvider>
      <Shell>
        <Screen />
      </Shell>
    </TalkProvider>
  );
}

function Screen() {
  const { screen } = useRoute();
  const Chosen = SCREENS[screen] ?? Talk;
  return (
    <Fence key={screen} fallback={(error, retry) => <div className="page"><Problem error={error} onRetry={retry} /></div>}>
      <Chosen />
    </Fence>
  );
}
