"use strict";
// Who plays a run now, where workers come and go: asked every two seconds while
// somebody looks.

{
  const box = $("#workers");
  const percent = x => Math.round(100 * x) + " %";
  const row = m => el("tr", {class: m.gone ? "gone" : ""},
    el("td", {}, bdi(m.name), " ", el("small", {class: "sub"}, m.cpu)),
    el("td", {class: "r tab"}, `${m.slots} of ${m.cores}`), el("td", {class: "r tab"}, count(m.games)), el("td", {class: "r tab"}, percent(m.share)),
    el("td", {class: "r tab"}, m.speed ? number(Number(m.speed.toPrecision(3))) : "\u2013"),
    el("td", {class: "r tab"}, m.gone ? "gone" : `${Math.round(m.silent)} s ago`));
  const look = async () => {
    if (document.hidden) return;
    if ($("#state").textContent !== "running") { box.hidden = true; return; }
    try {
      const {workers} = await ask("data/workers?" + query({id: page.id}));
      box.hidden = !workers?.length;
      box.querySelector("tbody").replaceChildren(...(workers ?? []).map(row));
      box.querySelector("summary").textContent = `Workers: ${(workers ?? []).filter(m => !m.gone).length} here`;
    } catch (e) {
      box.hidden = true; // the page says itself what is wrong with the server
    }
  };
  look();
  setInterval(look, 2000);
}
