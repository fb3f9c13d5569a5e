/** The page: signed in or not, then one screen at a time; heavy screens load when first opened. */
import { QueryClient, QueryClientProvider, useQuery } from "@tanstack/react-query";
import { Component, type ComponentType, lazy, type ReactNode, Suspense, useEffect, useState } from "react";
import { ApiError, api, onSignedOut } from "./api/client";
import { SpeechProvider } from "./i18n";
import { followClock } from "./lib/now";
import { useRoute } from "./lib/router";
import { ChatProvider } from "./parts/ChatStore";
import { FeedbackProvider, Loading, Problem } from "./parts/feedback";
import { Shell } from "./parts/Shell";
import { Chat } from "./screens/Chat";
import { Login } from "./screens/Login";

const SCREENS: Record<string, ComponentType> = {
  chat: Chat,
  memory: lazy(() => import("./screens/Memory")),
  why: lazy(() => import("./screens/Why")),
  heart: lazy(() => import("./screens/Heart")),
  timeline: lazy(() => import("./screens/Timeline")),
  likes: lazy(() => import("./screens/Likes")),
  graph: lazy(() => import("./screens/Graph")),
  tidy: lazy(() => import("./screens/Tidy")),
  reminders: lazy(() => import("./screens/Reminders")),
  settings: lazy(() => import("./screens/Settings")),
  logs: lazy(() => import("./screens/Logs")),
};

const client = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: (count, error) => count < 2 && !(error instanceof ApiError && error.status >= 400 && error.status < 500),
    },
  },
});

export function App() {
  return (
    <QueryClientProvider client={client}>
      <SpeechProvider>
        <FeedbackProvider>
          <Gate />
        </FeedbackProvider>
      </SpeechProvider>
    </QueryClientProvider>
  );
}

/** Allowed in? Then also learn what time it is for the ghost. */
async function enter(): Promise<true> {
  await api.get("/api/settings");
  await followClock();
  return true;
}

function Gate() {
  const [out, setOut] = useState(false);
  const check = useQuery({ queryKey: ["gate"], queryFn: enter, staleTime: Number.POSITIVE_INFINITY, retry: 0 });
  useEffect(() => onSignedOut(() => setOut(true)), []);
  if (out || (check.error instanceof ApiError && check.error.status === 401)) {
    return (
      <Login
        onIn={() => {
          client.clear();
          setOut(false);
          void check.refetch();
        }}
      />
    );
  }
  if (check.isPending) return <Loading />;
  if (check.error) return <div className="page"><Problem error={check.error} onRetry={check.refetch} /></div>;
  return (
    <ChatProvider>
      <Shell>
        <Screen />
      </Shell>
    </ChatProvider>
  );
}

function Screen() {
  const { screen } = useRoute();
  const Chosen = SCREENS[screen] ?? Chat;
  return (
    <Fence key={screen}>
      <Suspense fallback={<Loading />}>
        <Chosen />
      </Suspense>
    </Fence>
  );
}

/** One broken screen must not take the others with it. */
class Fence extends Component<{ children: ReactNode }, { error: unknown }> {
  override state = { error: null as unknown };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    if (this.state.error === null) return this.props.children;
    return (
      <div className="page">
        <Problem error={this.state.error} onRetry={() => this.setState({ error: null })} />
      </div>
    );
  }
}
