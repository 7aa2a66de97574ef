/// The page's script: filters, search, keyboard navigation, and the strip for jumping and zooming. It reads all data
/// from the picture.
enum TimelineScript {
    static let text = choosing + overview

    private static let choosing = """
        "use strict";
        const $ = id => document.getElementById(id);
        const packages = [...document.querySelectorAll("g.package")], marks = [...document.querySelectorAll(".mark-crash, .mark-trouble")];
        const details = $("details"), found = $("found"), find = $("find"), picture = $("picture");
        let chosen = null;
        const shown = () => packages.filter(p => !p.classList.contains("hidden"));
        const facts = p => p.querySelector("title").textContent;
        function choose(p, moves) {
          if (chosen) { chosen.classList.remove("chosen"); chosen.tabIndex = -1; }
          chosen = p;
          if (!p) { details.replaceChildren(); return; }
          p.classList.add("chosen"); p.tabIndex = 0;
          const list = document.createElement("dl");
          for (const line of facts(p).split("\\n")) {
            const cut = line.indexOf(": "), term = document.createElement("dt"), text = document.createElement("dd");
            term.textContent = line.slice(0, cut); text.textContent = line.slice(cut + 2); list.append(term, text);
          }
          details.replaceChildren(list);
          if (moves) { p.focus({ preventScroll: true }); centre(p); }
        }
        function centre(element) {
          const box = element.getBoundingClientRect();
          scrollBy({ top: box.top + box.height / 2 - (innerHeight + header()) / 2 });
        }
        function filter() {
          const off = new Set([...document.querySelectorAll("input[type=checkbox]:not(:checked)")].map(b => b.value));
          const text = find.value.trim().toLowerCase();
          for (const p of packages) p.classList.toggle("hidden", off.has("k:" + p.dataset.kind) || off.has("s:" + p.dataset.status)
            || (text !== "" && !facts(p).toLowerCase().includes(text)));
          found.textContent = shown().length + " of " + packages.length;
        }
        function step(by) {
          const list = shown(); if (!list.length) return;
          const at = list.indexOf(chosen);
          choose(list[Math.min(list.length - 1, Math.max(0, at < 0 ? 0 : at + by))], true);
        }
        const top_ = element => element.getBoundingClientRect().top;
        function trouble(by) {
          // Start at the selected package, else at the middle of the window.
          const from = chosen ? top_(chosen) : (innerHeight + header()) / 2;
          const list = [...shown().filter(p => p.dataset.trouble), ...marks].map(e => [top_(e), e]).sort((a, b) => a[0] - b[0]);
          const next = by > 0 ? list.find(e => e[0] > from + 1 && e[1] !== chosen)
            : list.findLast(e => e[0] < from - 1 && e[1] !== chosen);
          if (!next) return;
          if (next[1].matches("g")) choose(next[1], true); else { choose(null); centre(next[1]); }
        }
        document.querySelectorAll("input").forEach(i => i.addEventListener("input", filter));
        picture.addEventListener("click", e => choose(e.target.closest("g.package"), false));
        picture.addEventListener("mouseover", e => { const p = e.target.closest("g.package"); if (p) choose(p, false); });
        picture.addEventListener("focusin", e => { const p = e.target.closest("g.package"); if (p && p !== chosen) choose(p, false); });

        """

    private static let overview = """
        const strip = $("overview"), view = $("window"), range = $("range"), root = document.documentElement;
        const [, , width, height] = picture.getAttribute("viewBox").split(" ").map(Number);
        const labels = [...picture.querySelectorAll("text.time")], gaps = [...picture.querySelectorAll("text.gap-text")];
        const least = 0.001, most = 16;
        let zoom = 1;
        function header() { return document.querySelector("header").offsetHeight + 26; }
        const space = () => innerHeight - header();
        const natural = () => picture.clientWidth / width * height;
        /// The position of the window's upper edge in the picture, and the visible part, both from 0 to 1.
        const seen = () => ({ at: (header() - top_(picture)) / picture.clientHeight, size: space() / picture.clientHeight });
        function draw() {
          const { at, size } = seen(), from = Math.max(0, at), to = Math.min(1, at + size);
          view.style.top = from * 100 + "%"; view.style.height = Math.max(0, to - from) * 100 + "%";
          strip.setAttribute("aria-valuenow", Math.round(Math.min(1, Math.max(0, at)) * 100));
        }
        function show(at) { scrollBy({ top: top_(picture) + at * picture.clientHeight - header() }); draw(); }
        /// Keeps the position `anchor` (0 to 1) of the picture at the part `down` (0 to 1) of the window.
        function setZoom(z, anchor, down) {
          zoom = Math.min(most, Math.max(least, z));
          root.style.setProperty("--z", zoom);
          picture.style.height = natural() * zoom + "px";
          const every = Math.ceil(1 / zoom);
          labels.forEach((label, i) => label.classList.toggle("hidden", i % every !== 0));
          gaps.forEach(gap => gap.classList.toggle("hidden", zoom < 0.4));
          if (anchor !== undefined) show(anchor - down * seen().size); else draw();
        }
        function zoomBy(factor) { const { at, size } = seen(); setZoom(zoom * factor, at + size / 2, 0.5); }
        const place = e => { const box = strip.getBoundingClientRect(); return Math.min(1, Math.max(0, (e.clientY - box.top) / box.height)); };
        let pressed = null;
        strip.addEventListener("pointerdown", e => { pressed = place(e); strip.setPointerCapture(e.pointerId); });
        strip.addEventListener("pointermove", e => {
          if (pressed === null) return;
          const now = place(e);
          range.hidden = Math.abs(now - pressed) < 0.01;
          range.style.top = Math.min(now, pressed) * 100 + "%"; range.style.height = Math.abs(now - pressed) * 100 + "%";
        });
        strip.addEventListener("pointerup", e => {
          if (pressed === null) return;
          const [from, to] = [Math.min(pressed, place(e)), Math.max(pressed, place(e))];
          pressed = null; range.hidden = true;
          if (to - from < 0.01) show(from - seen().size / 2);
          else { setZoom(space() / ((to - from) * natural()), from, 0); }
        });
        strip.addEventListener("pointercancel", () => { pressed = null; range.hidden = true; });
        strip.addEventListener("wheel", e => { e.preventDefault(); setZoom(zoom * Math.exp(-e.deltaY / 400), place(e), 0.5); }, { passive: false });
        picture.addEventListener("wheel", e => {
          if (!e.ctrlKey) return;
          e.preventDefault();
          setZoom(zoom * Math.exp(-e.deltaY / 400), (e.clientY - top_(picture)) / picture.clientHeight, (e.clientY - header()) / space());
        }, { passive: false });
        $("in").addEventListener("click", () => zoomBy(1.5));
        $("out").addEventListener("click", () => zoomBy(1 / 1.5));
        const whole = () => setZoom(space() / natural(), 0, 0);
        $("whole").addEventListener("click", whole);
        addEventListener("keydown", e => {
          if (e.key === "Escape") { if (document.activeElement === find) find.blur(); else choose(null); return; }
          if (document.activeElement === find || e.ctrlKey || e.metaKey || e.altKey) return;
          const keys = { "+": () => zoomBy(1.5), "=": () => zoomBy(1.5), "-": () => zoomBy(1 / 1.5), "0": () => { const { at, size } = seen(); setZoom(1, at + size / 2, 0.5); },
            f: () => trouble(1), F: () => trouble(-1), "/": () => find.focus(), j: () => step(1), k: () => step(-1) };
          const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: 20, PageUp: -20, Home: -1e9, End: 1e9 };
          const pages = { ArrowDown: 0.1, ArrowUp: -0.1, PageDown: 0.9, PageUp: -0.9 };
          if (document.activeElement === strip && (e.key in pages || e.key === "Home" || e.key === "End")) {
            const { at, size } = seen(); show(e.key === "Home" ? 0 : e.key === "End" ? 1 - size : at + pages[e.key] * size);
          } else if (e.key in keys) keys[e.key]();
          else if (e.key in steps && chosen) step(steps[e.key]);
          else return;
          e.preventDefault();
        });
        function layout() {
          document.body.style.setProperty("--top", document.querySelector("header").offsetHeight + "px");
          setZoom(zoom);
        }
        addEventListener("scroll", draw, { passive: true }); addEventListener("resize", layout);
        if (packages.length) packages[0].tabIndex = 0;
        layout(); filter();
        """
}
