"use strict";
// Several runs side by side, each with a colour: results, tuned values, settings that differ, curves on one axis.

const charts = new Charts($("#charts"));
const asked = () => new URLSearchParams(location.search).getAll("run");
let list = [], data = {};

// loose is a text that breaks between its numbers, since a narrow column would break within one. It is
// translated here: elsewhere numbers are joined again.
const loose = text => el("bdi", {dir: "ltr", translate: "no"}, language.whole(language.of(text)).replace(/\u00a0(?!%)/g, " "));

function goTo(list) { location.search = new URLSearchParams(list.map(id => ["run", id])).toString(); }

function show() {
  if (!list.length) return;
  const heads = more => el("thead", {}, el("tr", {}, el("td", {}, ""), ...list.map((r, i) => el("th", {class: i ? "" : "base", scope: "col"}, el("i", {style: "background:" + stroked(i)}), el("a", {href: "run?" + query({id: r.id})}, bdi(r.called)), more(r, i)))));
  const acts = (r, i) =>
    el("div", {class: "bar"}, i ? el("button", {type: "button", onclick: () => goTo([r.id, ...asked().filter(x => x !== r.id)])}, "Pin as baseline") : el("small", {}, "the baseline"),
      el("button", {type: "button", "aria-label": "remove " + r.called, onclick: () => goTo(asked().filter(x => x !== r.id))}, "×"));
  const row = (name, cells, as = loose, called = as) => el("tr", {}, el("th", {scope: "row"}, called(name)), ...cells.map((c, i) => el("td", {class: i ? "" : "base"}, as(c))));
  const rows = [
    row("state", list.map(r => r.status.state)),
    row("result", list.map(r => r.status.result)),
    row("games", list.map(r => count(r.status.games) + (r.status.unit ? " " + r.status.unit : ""))),
    row("against the baseline", list.map((r, i) => i ? r.difference || "–" : "")),
  ];
  const names = [...new Set(list.flatMap(r => r.settings.map(s => s.name)))];
  let equal = 0;
  const differ = [];
  for (const name of names) {
    const values = list.map(r => r.settings.find(s => s.name === name)?.value ?? "–");
    new Set(values).size > 1 ? differ.push(row(name, values, bdi)) : equal++;
  }
  const table = (label, body, ...top) => el("div", {class: "scroll", tabindex: 0, role: "region", "aria-label": label}, el("table", {class: "versus", style: `--runs: ${list.length}`}, ...top, el("tbody", {}, ...body)));
  const tuned = [...new Set(list.flatMap(r => r.values.map(v => v.name)))].map(name => row(name, list.map(r => r.values.find(v => v.name === name)?.value ?? "–"), loose, bdi));
  const drawn = html => Object.assign(el("div"), {innerHTML: html}); // made and escaped by the code that writes reports
  $("#compared").replaceChildren(table("Results", rows, heads(acts)),
    el("details", {class: "note"}, el("summary", {"aria-label": "Explanation"}, "?"), el("p", {}, "Differences are shown only between results against the same opponent. They assume independent runs; runs with the same seed share openings, which makes the interval slightly too wide.")),
    drawn(data.panels),
    ...(data.rest ? [el("details", {id: "rest", open: $("#rest")?.open ?? false}, el("summary", {}, "Paths of the other parameters"), drawn(data.rest))] : []),
    ...(tuned.length ? [el("details", {id: "tuned", open: $("#tuned")?.open ?? tuned.length <= 24}, el("summary", {}, "Tuned values"), table("Tuned values", tuned, heads(() => "")))] : []));
  $("#settings").replaceChildren(el("summary", {}, `Settings that differ: ${differ.length}`), table("Settings that differ", differ), el("p", {class: "hint"}, `${equal} equal settings are not listed.`));
  $("#settings").hidden = false;
  const both = new Map(), named = c => list.length > 1 && c.curves.length === 1 || list.filter(r => r.charts.some(o => o.id === c.id)).length > 1;
  list.forEach(r => r.charts.forEach(c => {
    const place = list.indexOf(r), mine = c.curves.map((curve, k) => ({...curve, ink: place, dash: k, ...(named(c) && {name: `${curve.name} · ${r.called}`, own: curve.name, run: r.name})}));
    const of = both.get(c.id) ?? {...c, curves: []}, notes = [of, c].flatMap(({note}) => note.split(/(?<=\.) /));
    both.set(c.id, {...of, note: [...new Set(notes)].join(" "), curves: [...of.curves, ...mine]});
  }));
  charts.set([...both.values()]);
}

// again looks at runs that are played.
async function again() {
  if (document.hidden || !list.some(r => r.status.state === "running")) return;
  try {
    data = await ask("data/compare" + location.search);
    list = data.runs;
    show();
    $("#live").textContent = "live";
  } catch (e) { $("#live").textContent = e.message + " Trying again…"; }
}

async function load() {
  if (asked().length) {
    $("#compared").replaceChildren(el("p", {class: "wait"}, "Reading…"));
    data = await ask("data/compare" + location.search);
    list = data.runs;
    show();
    setInterval(again, 5000);
  }
  const pick = $("#pick").elements.run, all = await ask("data/runs?n=1000");
  for (const r of all.rows) if (r.state !== "broken" && !asked().includes(r.id)) pick.append(el("option", {value: r.id, translate: "no"}, `${r.called} (${r.what})`));
  pick.addEventListener("change", () => goTo([...asked(), pick.value]));
}
load().catch(e => $("#compared").replaceChildren(el("p", {class: "wait"}, e.message)));
