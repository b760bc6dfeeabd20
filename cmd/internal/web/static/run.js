"use strict";
// A run: its progress, its curves and its report, growing while it is played.

const charts = new Charts($("#charts"));
$("#curves").open = Object.keys(seen.get()).some(key => /\.(x|only|log)$/.test(key)); // the address is of a curve
let reported = null, chartsAt = "", drawnAt = -Infinity;

// While a run is played its curves are requested only so often, in milliseconds: they
// are most of what a page costs it.
const drawEvery = 3000;

function stand(s) {
  const state = $("#state");
  state.textContent = s.state;
  state.className = "state " + s.state;
  state.dataset.state = s.state;
  $("#what b").replaceChildren(said(s.what));
  if (s.head !== undefined && s.head !== stand.head) {
    $("#head").innerHTML = stand.head = s.head; // made and escaped by the code that writes reports
    document.title = `${language.of(s.title)} · selfplaylab`;
  }
  const bar = $("#progress");
  bar.max = Math.max(1, s.planned);
  bar.value = s.state === "finished" ? bar.max : s.done;
  const unit = s.unit || "games", parts = s.games || !s.done ? [`${count(s.games)} ${unit}`] : []; // none is recorded before a trial ends
  if (s.state !== "finished" && s.planned) parts.push(`${s.phase}: ${count(s.done)} of at most ${count(s.planned)} ${unit}`);
  if (s.rate) parts.push(`${rate(s.rate)} ${unit}/s`);
  if (s.workers) parts.push(`${s.workers} worker${s.workers === 1 ? "" : "s"}` + (s.rate && s.workers > 1 ? `, ${rate(s.rate / s.workers)} ${unit}/s each` : ""));
  if (s.left && s.state === "running") parts.push(`at most ${span(s.left)} left`);
  if (s.note && s.state !== "finished") parts.push(s.note);
  $("#counts").textContent = parts.join(" · ");
  $("#faults").replaceChildren(...(s.faulty ? [el("p", {}, `${count(s.faulty)} game${s.faulty === 1 ? "" : "s"} lost by faults (illegal moves, time, crashes).`)] : []),
    ...(s.faults ?? []).map(f => el("p", {class: "fault"}, el("a", {href: "games?" + query({id: page.id}) + "#" + query({game: f.game})}, f.game), ` by ${f.reason}: `, said(f.detail))));
  crew.played(s.played ?? []);
  if (s.state === "running" && !s.unit) $("#inplay").hidden = false; // it stays, so that nothing moves
  $("#stop").hidden = !(s.state === "running" && s.mine);
  $("#resume").hidden = s.state !== "interrupted";
  const verify = $("#verify");
  if (verify) verify.hidden = s.state !== "finished";
  const play = $("#playit"), watching = $("#watch");
  play.hidden = !s.play;
  if (s.play) play.href = s.play;
  if (watching) watching.hidden = s.state !== "running";
  for (const e of $("#acts").children) e.classList.toggle("main", e.id === s.next);
}
$("#watch")?.addEventListener("click", () => { $("#inplay").open = true; });

async function draw() {
  const data = await ask("data/charts?" + query({id: page.id}));
  drawnAt = performance.now();
  if (data.version === chartsAt) return;
  chartsAt = data.version;
  charts.set(data.charts);
}

// linkGames makes links of the games that a report names, such as 0:12:1.
function linkGames(root) {
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT), named = [];
  for (let t; (t = texts.nextNode());) if (/\b\d+:\d+:[01]\b/.test(t.data) && !t.parentElement.closest("a, pre, svg")) named.push(t);
  for (const t of named) t.replaceWith(...t.data.split(/\b(\d+:\d+:[01])\b/).map((part, i) => i % 2 ? el("a", {href: "games?" + query({id: page.id}) + "#game=" + part}, part) : part));
}

// report shows the report's sections; it leaves unchanged ones alone.
async function report() {
  const data = await ask("data/report?" + query({id: page.id}));
  if (data.version === reported) return;
  reported = data.version;
  const fresh = el("div");
  fresh.innerHTML = data.html; // made and escaped by the code that writes reports
  let n = 0;
  for (const figure of fresh.querySelectorAll("figure")) {
    if (!figure.querySelector(".wide")) continue;
    const name = data.figures[n++];
    figure.append(el("p", {class: "save"}, ...["svg", "png", "pdf"].map(as =>
      el("a", {href: "data/figure?" + query({id: page.id, name, as}), "aria-label": name + "." + as}, as.toUpperCase()))));
  }
  linkGames(fresh);
  const root = $("#report"), old = [...root.children], now = [...fresh.children];
  for (const e of now) e.made = e.outerHTML; // before it is translated
  if (old.length === now.length) {
    now.forEach((e, i) => {
      if (e.made === old[i].made) return;
      e.open ||= old[i].open; // a section that its reader has unfolded
      old[i].replaceWith(e);
    });
  } else {
    root.replaceChildren(...now);
  }
  const playing = $("#state").dataset.state === "running";
  $("#asof").textContent = playing && data.games ? `The report shows the first ${count(data.games)} ${standing?.unit || "games"}. While the run is played it is made again only now and then: that takes time from the games.` : "";
  root.removeAttribute("aria-busy");
  root.dataset.version = reported;
  if (!report.jumped && location.hash.startsWith("#") && !location.hash.includes("=")) {
    report.jumped = true;
    document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();
  }
}

// inPlay shows the games that the run plays now, one of each worker, while it is open.
const inPlay = []; // boards
const tile = () => {
  const board = new Board(), about = el("p");
  $("#inplay .boards").append(el("div", {}, board.root, about));
  inPlay.push(board);
  board.say = g => {
    const clock = side => g.left[side] ? ` (${g.left[side].toFixed(1)} s left)` : "";
    about.replaceChildren(bdi(g.names[0]), clock(0), " – ", bdi(g.names[1]), clock(1), `, after ${g.ply} plies. `, !g.whole ? "" : standing?.mine ? `It is game ${g.whole}, played on another machine: such games are shown once their pair is finished. ` : `It is game ${g.whole}, the latest that another program has recorded. `, el("a", {href: "play#" + query({game: g.game, rules: g.rules, position: g.start, moves: g.moves})}, "Open in play"));
  };
};
async function look() {
  const box = $("#inplay");
  if (document.hidden || box.hidden || !box.open) return;
  try {
    const {games, waits} = await ask("data/live?" + query({id: page.id})), p = $("#inplay > p");
    p.textContent = waits ? waits + "…" : "";
    if (waits) {
      if (look.soon-- > 0) setTimeout(look, 100); // the workers show their games from now on
      return;
    }
    await released();
    while (inPlay.length < games.length) tile();
    for (const b of inPlay.splice(games.length)) b.root.parentElement.remove();
    games.forEach((g, i) => {
      inPlay[i].show(g);
      inPlay[i].root.dataset.ply = g.ply;
      inPlay[i].say(g);
    });
  } catch (e) { $("#inplay > p").textContent = e.message; }
}
$("#inplay").addEventListener("toggle", () => {
  while (inPlay.length < Math.min(8, standing?.workers || 1)) tile(); // their room, before the games come
  look.soon = 8;
  look();
});
setInterval(look, 1000);

// The report of a run that is played costs more than the rest of a page: it is requested
// only while it is on the screen, or nearly.
let reading = false;
new IntersectionObserver(list => {
  reading = list.at(-1).isIntersecting;
  if (reading && standing) update(standing);
}, {rootMargin: "200px"}).observe($("#report"));

let busy = false, latest = null, standing = null;
async function update(status) {
  latest = standing = status;
  stand(status);
  if (busy) return;
  busy = true;
  try {
    for (let s = latest; s; s = latest) {
      latest = null;
      if (s.state !== "running" || performance.now() - drawnAt >= drawEvery) await draw();
      if (s.report !== reported && (s.state !== "running" || reading)) await report();
    }
  } catch (e) {
    $("#live").textContent = e.message;
    if (reported === null) $("#report").replaceChildren(el("p", {class: "wait"}, e.message));
  } finally {
    busy = false;
  }
}

$("#write")?.addEventListener("submit", async e => {
  e.preventDefault();
  const note = e.target.elements.note.value.trim();
  try {
    await act("label", {id: page.id, note});
    $("#note").hidden = !note;
    $("#note bdi").textContent = note;
    $("#write details").open = false;
  } catch (err) { toast(err.message); }
});

for (const what of ["stop", "resume"]) {
  $("#" + what).addEventListener("click", async e => {
    e.target.disabled = true;
    try { await act(what, {id: page.id}); } catch (err) { toast(err.message); }
    e.target.disabled = !page.may;
  });
}
follow(page.id, status => { update(status); return status.state === "running"; });
