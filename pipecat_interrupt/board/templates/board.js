"use strict";
(() => {
  const one = (id) => document.getElementById(id);
  const tell = (text) => { const place = one("told"); if (place) place.textContent = text; };
  const state = (text, lost) => { one("state").textContent = text; one("state").classList.toggle("lost-line", Boolean(lost)); };

  // ---- theme
  if (one("theme")) {
    const themes = ["automatic", "light", "dark"];
    let theme = 0;
    try { theme = Math.max(0, themes.indexOf(localStorage.getItem("board-theme"))); } catch { /* not kept */ }
    const paint = () => {
      if (theme === 0) delete document.documentElement.dataset.theme;
      else document.documentElement.dataset.theme = themes[theme];
      one("theme-name").textContent = themes[theme];
    };
    one("theme").hidden = false;
    one("theme").addEventListener("click", () => {
      theme = (theme + 1) % 3;
      try { localStorage.setItem("board-theme", themes[theme]); } catch { /* not kept */ }
      paint();
    });
    paint();
  }

  const events = document.body.dataset.events;
  if (!events) return;

  // ---- calls: the server draws, this puts the drawing in its place
  const place = (call) => {
    const list = one(call.dataset.ended === "yes" ? "ended" : "live");
    if (list) list.append(call);
  };
  const put = (html) => {
    const template = document.createElement("template");
    template.innerHTML = html;
    const call = template.content.firstElementChild;
    const old = one(call.id);
    const focused = old && old.contains(document.activeElement) ? document.activeElement.id : "";
    const title = call.querySelector("h1, h3").textContent;
    if (!old) { place(call); tell(`A call began: ${title}`); return; }
    if (old.dataset.alarm !== call.dataset.alarm) tell(`Open critical items or red flags changed: ${title}`);
    if (old.dataset.ended !== call.dataset.ended) { old.remove(); place(call); tell(`A call ended: ${title}`); if (!call.isConnected) one("arrivals").append(call); }
    else old.replaceWith(call);
    if (focused && one(focused)) one(focused).focus({ preventScroll: true });
  };
  for (const call of Array.from(document.querySelectorAll("#arrivals > article.card"))) place(call);

  // ---- the stream; the browser reconnects by itself and says what it was told last
  const address = new URL(events, location.href);
  address.searchParams.set("after", document.body.dataset.after);
  const source = new EventSource(address);
  source.addEventListener("hello", () => state("live"));
  for (const name of ["card", "detail"]) source.addEventListener(name, (event) => put(event.data));
  source.addEventListener("gone", (event) => {
    const call = one(`c-${event.data}`);
    if (!call) return;
    if (call.classList.contains("detail")) { state("This call is no longer on the board.", true); source.close(); }
    else call.remove();
  });
  for (const name of ["reset", "expired"]) source.addEventListener(name, () => { source.close(); location.reload(); });
  source.addEventListener("error", () => {
    if (source.readyState === EventSource.CLOSED) state("Connection refused; load the page again.", true);
    else state("Connection lost; trying again.", true);
  });
  addEventListener("pagehide", () => source.close());
})();
