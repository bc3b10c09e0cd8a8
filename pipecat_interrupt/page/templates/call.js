"use strict";
(() => {
  const one = (id) => document.getElementById(id);
  const all = (selector, root = document) => Array.from(root.querySelectorAll(selector));
  const audio = one("audio"), lines = all("#lines > li[data-start]"), cuts = lines.filter((l) => l.dataset.cut);
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const tell = (text) => { one("told").textContent = text; };
  const show = (element) => element.scrollIntoView({ block: "nearest", behavior: still.matches ? "auto" : "smooth" });
  const kept = {
    get: (name) => { try { return localStorage.getItem(name); } catch { return null; } },
    set: (name, value) => { try { localStorage.setItem(name, value); } catch { /* private window: not kept */ } },
  };

  // ---- theme
  const themes = ["automatic", "light", "dark"];
  let theme = Math.max(0, themes.indexOf(kept.get("call-page-theme")));
  const paint = () => {
    if (theme === 0) delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = themes[theme];
    one("theme-name").textContent = themes[theme];
  };
  const turn = () => { theme = (theme + 1) % 3; kept.set("call-page-theme", themes[theme]); paint(); };
  one("theme").hidden = false;
  one("theme").addEventListener("click", turn);
  paint();

  // ---- filters
  const filters = one("filters");
  filters.hidden = false;
  const chosen = (name) => filters.elements[name].value;
  const filter = () => {
    const mark = chosen("mark"), who = chosen("who");
    let shown = 0;
    for (const line of lines) {
      const marks = line.dataset.marks.split(" ");
      line.hidden = (mark !== "all" && !marks.includes(mark)) || (who !== "all" && line.dataset.who !== who);
      shown += line.hidden ? 0 : 1;
    }
    for (const item of all("#obligations > li")) item.hidden = mark === "open" && item.dataset.closed === "yes";
    tell(`${shown} of ${lines.length} lines shown`);
  };
  filters.addEventListener("change", (event) => { if (event.target.type === "radio") filter(); });
  filters.addEventListener("submit", (event) => event.preventDefault());
  const unfilter = (line) => {
    if (!line.hidden) return;
    filters.elements.mark.value = "all"; filters.elements.who.value = "all"; filter();
  };

  // ---- the sound and the mark that follows it
  const head = one("head"), chart = one("timeline");
  const left = Number(chart.dataset.left), px = Number(chart.dataset.px);
  const words = new Map(lines.map((l) => [l, all(".w", l).map((element) => ({ element, at: Number(element.dataset.s) }))]));
  const spoken = lines.filter((l) => !l.classList.contains("decision"))
    .map((element) => ({ element, start: Number(element.dataset.start), end: Number(element.dataset.end) }));
  let marked = null, markedWord = null;
  const mark = (was, is) => {
    if (was === is) return is;
    if (was) { was.classList.remove("now"); was.removeAttribute("aria-current"); }
    if (is) { is.classList.add("now"); if (is.tagName === "LI") is.setAttribute("aria-current", "true"); }
    return is;
  };
  const lineAt = (t) => {
    let found = null;
    for (const line of spoken) if (line.start <= t && t < line.end) found = line;
    return found ? found.element : null;
  };
  const follow = () => {
    const t = audio.currentTime, line = lineAt(t);
    const x = left + t * px, band = chart.parentElement;
    head.setAttribute("x1", String(x)); head.setAttribute("x2", String(x));
    if (x < band.scrollLeft || x > band.scrollLeft + band.clientWidth) band.scrollLeft = x - band.clientWidth / 3;
    if (line !== marked && line && !line.hidden && !audio.paused && one("follow").checked) show(line);
    marked = mark(marked, line);
    let word = null;
    if (line) for (const w of words.get(line)) if (w.at <= t) word = w.element;
    markedWord = mark(markedWord, word);
  };
  const seek = (t) => {
    if (!audio) return;
    audio.currentTime = Math.max(0, Math.min(t, audio.duration || t));
    follow();
  };
  const play = () => { audio.play().catch(() => tell("The browser did not start the sound.")); };
  if (audio) {
    document.body.classList.add("can-play");
    const run = () => { follow(); if (!audio.paused) requestAnimationFrame(run); };
    audio.addEventListener("play", run);
    for (const name of ["timeupdate", "seeked", "pause"]) audio.addEventListener(name, follow);
    audio.addEventListener("error", () => tell("The recording in this page cannot be played by this browser."));
    document.addEventListener("click", (event) => {
      const go = event.target.closest("[data-go]"), word = event.target.closest("[data-s]");
      if (go) { seek(Number(go.dataset.go)); play(); }
      else if (word && getSelection().isCollapsed) { seek(Number(word.dataset.s)); play(); }
    });
    chart.addEventListener("click", (event) => {
      const scale = chart.viewBox.baseVal.width / chart.getBoundingClientRect().width;
      seek(((event.clientX - chart.getBoundingClientRect().left) * scale - left) / px);
    });
  }

  // ---- cuts and open obligations
  const lead = 2;  // seconds of talk before a cut, so that a listener hears what was cut
  let cut = -1, owed = -1;
  const target = (line) => Math.max(Number(line.dataset.start), Number(line.dataset.cut) - lead);
  const jump = (step) => {
    if (!cuts.length) { tell("No cut in this call."); return; }
    if (audio) {
      const now = audio.currentTime, later = cuts.findIndex((l) => target(l) > now + 0.25);
      const before = cuts.filter((l) => target(l) < now - 1.5).length - 1;
      cut = step > 0 ? (later < 0 ? cuts.length - 1 : later) : Math.max(0, before);
    } else cut = Math.max(0, Math.min(cuts.length - 1, cut + step));
    const line = cuts[cut];
    unfilter(line);
    if (audio) seek(target(line));
    line.focus({ preventScroll: true });
    show(line);
    tell(`Cut ${cut + 1} of ${cuts.length}`);
  };
  const nextOwed = () => {
    const open = all("#obligations > li[data-closed=no]");
    if (!open.length) { tell("Nothing is open."); return; }
    owed = (owed + 1) % open.length;
    open[owed].focus({ preventScroll: true });
    show(open[owed]);
    tell(`Open obligation ${owed + 1} of ${open.length}`);
  };
  if (one("cut-buttons")) {
    one("cut-buttons").hidden = false;
    one("next-cut").addEventListener("click", () => jump(1));
    one("previous-cut").addEventListener("click", () => jump(-1));
  }

  // ---- keys
  const keys = {
    n: () => jump(1), p: () => jump(-1), o: nextOwed, t: turn,
    "?": () => { const list = one("keys"); list.open = !list.open; if (list.open) { list.querySelector("summary").focus(); show(list); } },
    k: () => { if (audio) { if (audio.paused) play(); else audio.pause(); } },
    j: () => seek(audio ? audio.currentTime - 5 : 0), l: () => seek(audio ? audio.currentTime + 5 : 0),
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || !one("single-keys").checked) return;
    if (event.target.closest("input[type=text], textarea, select, audio, [contenteditable]")) return;
    const act = keys[event.key];
    if (act) { event.preventDefault(); act(); }
  });
})();
