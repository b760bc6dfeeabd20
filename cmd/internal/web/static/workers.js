"use strict";
// Who plays a run and who played it, in one list: the present workers, requested every
// two seconds while the list is open, and those of earlier sessions.

const crew = (() => {
  const box = $("#crew");
  let now = [], past = [];
  const cell = text => el("td", {class: "r tab"}, text);
  const row = (name, cpu, slots, games, share, speed, compared, sign, gone) => el("tr", {class: gone ? "gone" : ""},
    el("td", {}, name, " ", el("small", {class: "sub"}, cpu)), cell(count(slots)), cell(count(games)), cell(share), cell(speed ? rate(speed) : "–"), cell(speed && slots ? rate(speed / slots) : "–"), cell(compared), cell(sign));
  const show = () => {
    if (now.length || past.length) box.hidden = false;
    box.querySelector("summary").textContent = now.length ? `Who plays: ${now.filter(m => !m.gone).length} now` : "Who played";
    box.querySelector("tbody").replaceChildren(
      ...now.map(m => row(bdi(m.name), `${m.cpu}, ${m.cores} cores`, m.slots, m.games, Math.round(100 * m.share) + " %", m.speed, m.own ? "this process" : count(m.compared), m.refused ? "refused: " + m.refused : m.gone ? "gone" : `${Math.round(m.silent)} s ago`, m.gone)),
      ...past.map(c => row(c.host ? bdi(c.host) : "this machine", c.cpu, c.workers, c.games, Math.round(100 * c.share) + " %", c.rate, c.host && c.compared ? count(c.compared) : "–", "session ended", false)));
  };
  const look = async () => {
    if (document.hidden) return;
    const playing = $("#state").dataset.state === "running", before = now.length;
    if (!playing && !before) return;
    try {
      now = playing ? (await ask("data/workers?" + query({id: page.id}))).workers ?? [] : [];
    } catch { // the page itself shows errors of the server
      now = [];
    }
    if (now.length && !before) box.open = true;
    if (now.length || before) show();
  };
  look();
  setInterval(look, 2000);
  return {played(list) { past = list; show(); }};
})();
