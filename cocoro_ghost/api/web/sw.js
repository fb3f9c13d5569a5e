// The shell opens without the ghost and says that it is away. What was said or is remembered is never kept here.
const SHELL = "shell-1";

self.addEventListener("install", (event) => {
  event.waitUntil(
    caches
      .open(SHELL)
      .then((cache) => cache.addAll(["./", "./theme.js", "./ghost.svg"]))
      .then(() => self.skipWaiting()),
  );
});

self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

function shellRequest(request) {
  const url = new URL(request.url);
  return request.method === "GET" && url.origin === self.location.origin && !/^\/(api|docs|metrics|openapi|login|v1|healthz|readyz)/.test(url.pathname);
}

/** The network first, for a new version must show at once; what it gave is kept for when nobody answers. */
async function answer(request) {
  const cache = await caches.open(SHELL);
  const kept = await cache.match(request, { ignoreSearch: true });
  if (kept && /\/assets\//.test(request.url)) return kept;
  try {
    const fresh = await fetch(request);
    if (fresh.ok) await cache.put(request, fresh.clone());
    return fresh;
  } catch (error) {
    const page = request.mode === "navigate" ? await cache.match("./") : undefined;
    if (kept ?? page) return kept ?? page;
    throw error;
  }
}

self.addEventListener("fetch", (event) => {
  if (shellRequest(event.request)) event.respondWith(answer(event.request));
});
