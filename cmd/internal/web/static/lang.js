"use strict";
// The language of the pages. They are written in English; a file of static/lang/ has the
// same texts in another language. Texts are translated while the browser reads the page
// and whenever they change, before anybody sees them. Elements with translate="no" hold
// what users wrote and stay as they are.

const language = (() => {
  const {src, dataset} = document.currentScript, codes = dataset.languages.split(" ");
  let code = [kept(), ...navigator.languages.map(l => l.split("-")[0])].find(l => codes.includes(l)) ?? "en";
  function kept() { try { return JSON.parse(localStorage.getItem("language")); } catch { return null; } }
  const exact = new Map(), numbered = new Map(), patterns = new Map(), before = new Map(), joins = new Map();

  const figure = String.raw`(?:[<>≈] )?(?:1-0|0-1|1\/2|½-½|[+−-]?(?:\d+(?:[,.]\d+)*|\.\d+|∞)(?:e[+-]?\d+)?|½)`;
  const figures = new RegExp(String.raw`(?<![\w.])` + figure + String.raw`(?![\w])`, "g"), letters = /\p{L}/u;
  const startsSo = text => /^[<>≈+−\-½∞\d]/.test(text) ? "0" : text[0];
  const fill = (text, values) => text.replace(/\{([a-z]\d?)\}/g, (_, name) => values[name]);

  // add takes a table from English to this language. {n}, {n1} … stand for numbers in
  // both, {q} for a text that stays, {x}, {y}, {z} for texts that are translated too. Of the patterns that match
  // the one with most letters of its own counts. A pattern without letters joins parts.
  // pair(s|) stands for pairs and pair.
  const spread = english => {
    const m = /\(([^()|]*\|[^()]*)\)/.exec(english);
    return m ? m[1].split("|").flatMap(part => spread(english.slice(0, m.index) + part + english.slice(m.index + m[0].length))) : [english];
  };
  function add(_, table) {
    const list = [];
    for (const [english, text] of Object.entries(table).flatMap(([key, text]) => spread(key).map(english => [english, text]))) {
      const names = [...english.matchAll(/\{([a-z]\d?)\}/g)].map(m => m[1]);
      if (!names.length) exact.set(english, text);
      else if (names.every(n => n[0] === "n")) numbered.set(english.replace(/\{n\d?\}/g, "\0"), {names, text});
      if (names.length) list.push({english, text, names, own: english.replace(/\{[a-z]\d?\}/g, "")});
    }
    for (const p of list) p.spoken = letters.test(p.own); // else it only joins: those count in their order, after all others
    const weight = p => p.spoken ? p.own.length : 0;
    list.sort((a, b) => weight(b) - weight(a));
    for (const [place, p] of list.entries()) {
      const whole = String.raw`[^()]|\([^()]*\)`, text = p.spoken ? String.raw`((?:(?!\.\s\p{Lu}| · )(?:${whole}))+?)` : `((?:${whole})+?)`; // a spoken one within a sentence
      const escaped = p.english.replace(/[.*+?^$()|[\]\\]/g, "\\$&").replace(/\{n\d?\}/g, "(" + figure + ")").replace(/\{[a-z]\d?\}/g, () => text);
      p.shape = new RegExp("^" + escaped + (p.spoken && !/[.,:;…]$/.test(p.english) ? "([.,:;]?)$" : "()$"), "su"); // with or without an end
      if (!p.spoken) joins.set(p.english, p.text);
      p.place = place;
      const start = /^\{n/.test(p.english) ? "0" : p.english[0] === "{" ? "" : startsSo(p.english);
      patterns.has(start) ? patterns.get(start).push(p) : patterns.set(start, [p]);
    }
    patterns.set("", patterns.get("") ?? []);
  }

  // of returns a text in the language, or as it is where the table has nothing for it.
  function of(text) {
    if (code === "en" || !letters.test(text) && !exact.has(text)) return text;
    let found = before.get(text);
    if (found === undefined) {
      before.size > 20000 && before.clear();
      before.set(text, text); // a text inside itself stays
      before.set(text, found = search(text));
    }
    return found;
  }

  // ended puts the end of a sentence or part behind its translation.
  const ended = (text, end) => end ? (joins.get("{x}" + end) ?? "{x}" + end).replace("{x}", () => text) : text;

  function search(text) {
    const end = /[.,:;]$/.exec(text)?.[0] ?? "", bare = text.slice(0, text.length - end.length);
    for (const [part, rest] of end ? [[text, ""], [bare, end]] : [[text, ""]]) {
      if (exact.has(part)) return ended(exact.get(part), rest);
      const numbers = part.match(figures) ?? [], same = numbered.get(part.replace(figures, "\0"));
      if (same) return ended(fill(same.text, Object.fromEntries(same.names.map((name, i) => [name, numbers[i]]))), rest);
    }
    const start = startsSo(text), own = patterns.get(start) ?? [], any = patterns.get("");
    for (let i = 0, k = 0; i < own.length || k < any.length;) {
      const p = k === any.length || i < own.length && own[i].place < any[k].place ? own[i++] : any[k++], match = p.shape.exec(text);
      if (!match) continue;
      const values = {};
      let changed = p.spoken;
      p.names.forEach((name, at) => {
        const part = match[at + 1];
        values[name] = "nq".includes(name[0]) ? part : of(part);
        changed ||= values[name] !== part;
      });
      if (changed) return ended(fill(p.text, values), match.at(-1));
    }
    return text;
  }

  // whole keeps numbers with their errors, units and intervals on one line and behind a name that is
  // written from right to left, as reports do.
  const letter = String.raw`\p{sc=Hebr}\p{sc=Arab}\p{sc=Syrc}\p{sc=Thaa}\p{sc=Nkoo}`, leftward = new RegExp(`\u2068[^\u2069]*\u2069|[${letter}](?:[${letter}\\p{M} ]*[${letter}\\p{M}])?`, "gu");
  const whole = text => text.replace(/ (?=%|Elo|±)|(?<=±) |(?<=[<>≈]) (?=[+−-]?\d)|(?<=\d) (?=\p{sc=Han})/gu, "\u00a0").replace(/(\d(?:\u00a0%)?) (\p{L}) (?=[+−-]?\d)/gu, "$1\u00a0$2\u00a0").replace(leftward, name => name[0] === "\u2068" ? name : `\u2068${name}\u2069`);

  const attributes = ["title", "placeholder", "aria-label", "aria-valuetext", "alt", "label", "data-label"];
  const left = "[translate=no], script, style, code, pre, textarea";
  function around(text) {
    const inner = text.trim();
    if (!inner) return text;
    const at = text.indexOf(inner), plain = inner.replace(/\s+/g, " "), now = of(plain);
    const gap = (space, mark, where) => where.test(mark) ? "" : space; // wide punctuation brings its own space
    return now === plain ? text : gap(text.slice(0, at), now, /^[，。：；）、]/) + whole(now) + gap(text.slice(at + inner.length), now, /[，。：；（、]$/);
  }

  // rest is the further lines of a text of a drawing, which is broken where the English is.
  function rest(first) {
    const look = e => ["x", "font-size", "fill", "font-weight"].map(name => e.getAttribute(name)).join(), list = [];
    const below = (a, b) => Math.abs((b.getAttribute("y") - a.getAttribute("y")) / a.getAttribute("font-size") - 1.3) < 0.02; // reports/figure: leading
    for (let e = first, next; (next = e.nextElementSibling)?.localName === "text" && look(next) === look(e) && below(e, next); e = next) list.push(next);
    return list;
  }

  // broken puts the translation of a text of several lines on lines that are no wider, and reports whether it has one.
  function broken(lines) {
    const texts = lines.map(e => e.textContent), plain = texts.join(" "), now = of(plain), width = c => c < "\u2e80" ? 1.2 : 2.3; // mean English letters
    if (now === plain) return false;
    const room = Math.max(...texts.map(t => t.length)), words = whole(now).match(/[\u2e80-\uffff][，。：；）、]*|[^\u2e80-\uffff ]+| /g);
    for (const line of lines) {
      let text = "", taken = 0;
      for (let w; (w = words[0]) && (line === lines.at(-1) || (taken += [...w].reduce((sum, c) => sum + width(c), 0)) <= room); words.shift()) text += w;
      line.firstChild.data = text.trim();
    }
    return true;
  }
  const done = new WeakMap(); // texts that are translated: they stay when they are put elsewhere
  // In drawings and tables what is code in a table, alone or against another ("draw v full"), is a name, such as a player's, and stays.
  let names;
  const plain = e => e.textContent.replaceAll("\u00a0", " ");
  const isName = e => (e?.localName === "text" || e?.closest("td")) && plain(e).split(" v ").every(part =>
    (names ??= new Set([...document.querySelectorAll("td code")].map(plain))).has(part));
  function textOf(node) {
    if (done.get(node) === node.data || isName(node.parentElement)) return;
    const further = node.parentElement?.localName === "text" ? rest(node.parentElement) : [];
    if (further.length && broken([node.parentElement, ...further])) return;
    const now = around(node.data), parent = node.parentElement;
    if (now === node.data || !parent || parent.closest(left)) return;
    if (parent.localName === "option" && !parent.hasAttribute("value")) parent.value = parent.text;
    node.data = now;
    done.set(node, now);
  }
  function attribute(e, name) {
    const now = around(e.getAttribute(name) ?? "");
    if (now !== (e.getAttribute(name) ?? "") && !e.closest(left)) e.setAttribute(name, now);
  }
  function all(root) {
    if (root.nodeType === Node.TEXT_NODE) return textOf(root);
    if (root.nodeType !== Node.ELEMENT_NODE) return;
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
    for (let n = root; n; n = walker.nextNode()) {
      if (n.nodeType === Node.TEXT_NODE) textOf(n);
      else for (const name of attributes) if (n.hasAttribute(name)) attribute(n, name);
    }
  }
  const observer = new MutationObserver(list => {
    names = undefined;
    for (const m of list) {
      if (m.type === "childList") m.addedNodes.forEach(all);
      else if (m.type === "characterData") textOf(m.target);
      else attribute(m.target, m.attributeName);
    }
    observer.takeRecords(); // our own changes
  });

  document.documentElement.lang = code;
  const style = document.createElement("style");
  style.textContent = `.languages [data-language=${code}] { display: none; }`;
  document.head.append(style);
  if (code !== "en") {
    observer.observe(document, {subtree: true, childList: true, characterData: true, attributes: true, attributeFilter: attributes});
    document.write(`<script src="${src.replace("lang.js", `lang/${code}.js`)}"></` + "script>"); // before the page is read on
  }
  addEventListener("click", e => {
    const to = e.target.closest?.("[data-language]")?.dataset.language;
    if (!to) return;
    localStorage.setItem("language", JSON.stringify(to));
    location.reload();
  });
  addEventListener("pageshow", e => { if (e.persisted && (kept() ?? code) !== code) location.reload(); });
  return {add, of, whole, code};
})();
