/** One broken part must not take the others with it; and a part that could not be loaded can be asked for again. */
import { Component, type ComponentType, type ReactNode, useCallback, useEffect, useState } from "react";
import { onReached } from "../api/client";
import { useSpeech } from "../i18n";
import { Loading, Problem } from "./feedback";

interface FenceProps {
  children: ReactNode;
  fallback: (error: unknown, retry: () => void) => ReactNode;
}

export class Fence extends Component<FenceProps, { error: unknown }> {
  override state = { error: null as unknown };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    if (this.state.error === null) return this.props.children;
    return this.props.fallback(this.state.error, () => this.setState({ error: null }));
  }
}

type Loader<P> = () => Promise<{ default: ComponentType<P> }>;

/** As React.lazy, but a failed import is tried again: by a button, and by itself when the ghost answers once more. */
export function loadable<P extends object>(load: Loader<P>): ComponentType<P> {
  let Loaded: ComponentType<P> | null = null;
  return function Loadable(props: P) {
    const [Shown, setShown] = useState<ComponentType<P> | null>(() => Loaded);
    const [failed, setFailed] = useState(false);
    const ask = useCallback(() => {
      setFailed(false);
      load().then(
        (module) => {
          Loaded = module.default;
          setShown(() => module.default);
        },
        () => setFailed(true),
      );
    }, []);
    useEffect(() => {
      if (!Loaded) ask();
    }, [ask]);
    useEffect(() => (failed ? onReached(ask) : undefined), [failed, ask]);
    if (Shown) return <Shown {...props} />;
    return failed ? <Unloaded onRetry={ask} /> : <Loading />;
  };
}

function Unloaded({ onRetry }: { onRetry: () => void }) {
  const { t } = useSpeech();
  return (
    <div className="page">
      <Problem text={t("error.page")} onRetry={onRetry} />
    </div>
  );
}
