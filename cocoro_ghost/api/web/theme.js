// Before anything is drawn: the chosen colours, so that a dark room sees no light flash.
(function () {
  var theme = localStorage.getItem("theme");
  var dark = theme === "dark" || (theme !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.dataset.theme = dark ? "dark" : "light";
})();
