/// The page's behaviour: filters, search, and a walk from package to package with the keyboard. Everything is read from the
/// picture itself.
enum TimelineScript {
    static let text = """
        "use strict";
        const packages = [...document.querySelectorAll("g.package")];
        const details = document.getElementById("details"), found = document.getElementById("found");
        let chosen = null;
        const shown = () => packages.filter(p => !p.classList.contains("hidden"));
        function choose(p, moves) {
          if (chosen) { chosen.classList.remove("chosen"); chosen.tabIndex = -1; }
          chosen = p;
          if (!p) { details.replaceChildren(); return; }
          p.classList.add("chosen"); p.tabIndex = 0;
          const list = document.createElement("dl");
          for (const line of p.querySelector("title").textContent.split("\\n")) {
            const cut = line.indexOf(": "), term = document.createElement("dt"), text = document.createElement("dd");
            term.textContent = line.slice(0, cut); text.textContent = line.slice(cut + 2); list.append(term, text);
          }
          details.replaceChildren(list);
          if (moves) { p.focus({ preventScroll: true });
            const box = p.getBoundingClientRect();
            window.scrollBy({ top: box.top + box.height / 2 - innerHeight / 2 }); }
        }
        function filter() {
          const off = new Set([...document.querySelectorAll("input[type=checkbox]:not(:checked)")].map(b => b.value));
          const text = document.getElementById("find").value.trim().toLowerCase();
          for (const p of packages) p.classList.toggle("hidden", off.has("k:" + p.dataset.kind) || off.has("s:" + p.dataset.status)
            || (text !== "" && !p.querySelector("title").textContent.toLowerCase().includes(text)));
          found.textContent = shown().length + " of " + packages.length;
        }
        function step(by) {
          const list = shown(); if (!list.length) return;
          const at = list.indexOf(chosen);
          choose(list[Math.min(list.length - 1, Math.max(0, at < 0 ? 0 : at + by))], true);
        }
        document.querySelectorAll("input").forEach(i => i.addEventListener("input", filter));
        document.querySelector("svg").addEventListener("click", e => choose(e.target.closest("g.package"), false));
        document.querySelector("svg").addEventListener("mouseover", e => {
          const p = e.target.closest("g.package"); if (p) choose(p, false); });
        addEventListener("keydown", e => {
          const find = document.getElementById("find");
          if (e.key === "Escape") { if (document.activeElement === find) find.blur(); else choose(null); return; }
          if (document.activeElement === find || e.ctrlKey || e.metaKey || e.altKey) return;
          const steps = { j: 1, k: -1, ArrowDown: 1, ArrowUp: -1, PageDown: 20, PageUp: -20, Home: -1e9, End: 1e9 };
          if (e.key === "/") { find.focus(); e.preventDefault(); }
          else if (e.key in steps && (chosen || e.key === "j" || e.key === "k")) { step(steps[e.key]); e.preventDefault(); }
        });
        if (packages.length) packages[0].tabIndex = 0;
        document.querySelector("svg").addEventListener("focusin", e => {
          const p = e.target.closest("g.package"); if (p && p !== chosen) choose(p, false); });
        filter();
        """
}
