import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./App";
import { applyTheme, storedTheme } from "./lib/theme";
import "./styles/tokens.css";
import "./styles/parts.css";
import "./styles/tables.css";
import "./styles/ghost.css";
import "./styles/shell.css";
import "./styles/chat.css";
import "./styles/browser.css";
import "./styles/mind.css";
import "./styles/screens.css";

applyTheme(storedTheme());
const root = document.getElementById("root");
if (root) {
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}
