/** The page's own session: held here and sent in a header, so that no cookie opens anything by itself. */

const NAME = "cocoro_session";

export function session(): string | null {
  return sessionStorage.getItem(NAME);
}

export function keepSession(value: string | null): void {
  if (value) sessionStorage.setItem(NAME, value);
  else sessionStorage.removeItem(NAME);
}

/** The one-time code of the printed link (`/login#code=…`); it leaves the address at once. */
export function takeCode(): string | null {
  const code = /^#code=(.+)$/.exec(location.hash)?.[1];
  if (!code) return null;
  history.replaceState(null, "", "/");
  return decodeURIComponent(code);
}
