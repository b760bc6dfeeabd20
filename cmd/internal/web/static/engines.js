"use strict";
// Where there is no server the engines answer in a worker. To stop a thought the
// worker is ended and another one begun.
{
  let worker, waiting = new Map(), last = 0;
  const begin = () => {
    worker = new Worker("static/worker.js");
    worker.onmessage = e => {
      waiting.get(e.data.id)?.done(JSON.parse(e.data.answer));
      waiting.delete(e.data.id);
    };
    worker.onerror = e => { for (const w of waiting.values()) w.done({error: "The engines do not start: " + e.message}); waiting.clear(); };
    for (const [id, w] of waiting) worker.postMessage({id, question: w.question});
  };
  window.engines = (question, signal) => new Promise((resolve, reject) => {
    const id = ++last, text = JSON.stringify(question);
    waiting.set(id, {question: text, done: a => a && a.error ? reject(new Error(a.error)) : resolve(a)});
    if (signal?.aborted) throw signal.reason;
    signal?.addEventListener("abort", () => {
      if (!waiting.delete(id)) return;
      worker.terminate();
      begin();
      reject(new DOMException("stopped", "AbortError"));
    });
    worker.postMessage({id, question: text});
  });
  begin();
}

// offline answers from files what a server would be asked about recorded games.
const opened = new Map();
async function runFile(id) {
  if (!/^\d+$/.test(id)) throw new Error("There is no such run here.");
  if (!opened.has(id)) opened.set(id, (await fetch(`runs/${id}.json`)).json());
  return opened.get(id);
}
window.offline = async path => {
  const url = new URL(path, location.href), q = url.searchParams;
  if (url.pathname.endsWith("data/runs")) return (await fetch("runs/index.json")).json();
  const run = await runFile(q.get("id") || "1");
  if (url.pathname.endsWith("data/game")) {
    const game = run.games.find(g => g.name === q.get("game"));
    if (!game) throw new Error("There is no such game here.");
    return game;
  }
  const has = (text, part) => text.toLowerCase().includes((part ?? "").toLowerCase());
  const fits = run.games.filter(g => has(g.first + "\n" + g.second, q.get("player")) && g.opening.startsWith(q.get("opening") ?? "") && (!q.get("reason") || g.reason === q.get("reason")) &&
    (!q.get("outcome") || g.outcome === q.get("outcome")) && g.plies >= Number(q.get("min") ?? 0) && (!q.get("max") || g.plies <= Number(q.get("max"))) && (!q.get("upset") || g.upset));
  const from = Number(q.get("after") ?? 0);
  return {games: fits.slice(from, from + 100), more: fits.length > from + 100, reasons: [...new Set(run.games.map(g => g.reason))].sort()};
};
