import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
// What all share comes first, so that a room may put it differently.
import "./styles/tokens.css";
import "./styles/parts.css";
import "./styles/tables.css";
import "./styles/ghost.css";
import "./styles/browser.css";
import { App } from "./App";
import { followSystem } from "./lib/theme";

followSystem();
const root = document.getElementById("root");
if (root) {
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}
// Offline the shell still opens and says that the ghost is away; talk and memory are never cached.
if ("serviceWorker" in navigator && import.meta.env.PROD) navigator.serviceWorker.register("./sw.js").catch(() => undefined);
