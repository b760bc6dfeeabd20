"use strict";
// What all pages share: elements, requests, events, and the state in the address.

const $ = (selector, root = document) => root.querySelector(selector);

// el makes an element. Texts are always set as text. What users wrote is isolated by bdi,
// so that letters of other directions stay where they are and nothing translates it; said
// isolates our own sentences that contain such.
function el(name, attributes = {}, ...children) {
  const e = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (key.startsWith("on")) e.addEventListener(key.slice(2), value);
    else e.setAttribute(key, value === true ? "" : value);
  }
  e.append(...children.filter(c => c !== null && c !== undefined));
  return e;
}
const bdi = text => el("bdi", {translate: "no"}, String(text));
const said = text => el("bdi", {dir: "ltr"}, language.whole(String(text))); // a sentence, whichever way the names in it run

// svg makes an SVG element.
function svg(name, attributes = {}, ...children) {
  const e = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, value);
  e.append(...children);
  return e;
}

// assets is where scripts and what belongs to them are.
const assets = document.currentScript.src.replace(/[^/]*$/, "");

const page = {id: document.body.dataset.id, may: document.body.dataset.may === "true"};

function toast(text) {
  const t = $("#toast");
  t.textContent = text;
  t.hidden = false;
  clearTimeout(toast.timer);
  toast.timer = setTimeout(() => { t.hidden = true; }, 7000);
}

// ask requests JSON; an error has the server's message. A search goes on without a
// connection: waits(others) hears how many other searches the server runs meanwhile.
async function ask(path, options = {}) {
  let data = await request(path, options);
  if (!data?.search) return data;
  const name = data.search, stop = () => { fetch("data/stop?" + query({name}), {method: "POST", keepalive: true}).catch(() => {}); };
  addEventListener("pagehide", stop);
  options.signal?.addEventListener("abort", stop);
  try {
    while (data?.search === name) {
      options.waits?.(data.others);
      data = await request("data/search?" + query({name}), {signal: options.signal});
      if (data?.search) await new Promise(next => setTimeout(next, 200));
    }
  } finally { removeEventListener("pagehide", stop); }
  return data;
}
async function request(path, options) {
  let answer;
  try {
    answer = await fetch(path, options);
  } catch (e) {
    if (e.name === "AbortError") throw e;
    throw new Error("The server does not answer.");
  }
  const text = await answer.text();
  let data;
  try { data = JSON.parse(text); } catch { data = {error: text.trim()}; }
  if (data && data.error && !("command" in data)) throw new Error(data.error);
  return data;
}
const query = values => new URLSearchParams(values).toString();
const act = (path, values) => ask("act/" + path, {method: "POST", body: new URLSearchParams(values)});

// released waits while a link or button is pressed: what is drawn meanwhile would take it
// from under the pointer, and the click would be lost.
let pressed = null;
addEventListener("pointerdown", e => {
  if (!e.target.closest?.("a, button, label, input[type=checkbox]")) return;
  pressed = new Promise(done => {
    const end = () => setTimeout(() => { pressed = null; done(); }); // once the click has been heard
    for (const type of ["pointerup", "pointercancel"]) addEventListener(type, end, {once: true});
    setTimeout(end, 5000);
  });
}, true);
const released = () => pressed;

// follow calls handle with every event while the page is visible, and says "live" while
// handle answers true. It reconnects to a server that went away, and gets only what is new.
function follow(id, handle) {
  const live = $("#live");
  let source = null, last = "", lost = false;
  const close = () => { if (source) source.close(); source = null; };
  const open = () => {
    close();
    if (document.hidden) return;
    source = new EventSource("data/events?" + query({id, last}));
    let handed = false; // the server has given our place to another page for a moment
    source.onopen = () => { if (!handed && lost) live.textContent = ""; lost = handed = false; };
    source.onmessage = e => { live.textContent = handle(JSON.parse(e.data)) === true ? "live" : ""; last = e.lastEventId; };
    source.addEventListener("later", () => { handed = true; });
    source.addEventListener("trouble", e => { live.textContent = JSON.parse(e.data).error; });
    source.onerror = () => {
      if (!handed) { lost = true; live.textContent = "no connection to the server; trying again…"; }
      if (source && source.readyState === EventSource.CLOSED) { close(); setTimeout(open, 2000); }
    };
  };
  document.addEventListener("visibilitychange", () => document.hidden ? close() : open());
  addEventListener("pagehide", close);
  addEventListener("pageshow", e => { if (e.persisted) open(); });
  open();
}

// The state in the address, after its #.
const seen = {
  get: () => Object.fromEntries(new URLSearchParams(location.hash.slice(1))),
  set(values) {
    const now = new URLSearchParams(location.hash.slice(1));
    for (const [key, value] of Object.entries(values)) value === "" || value === null || value === undefined ? now.delete(key) : now.set(key, value);
    history.replaceState(null, "", location.pathname + location.search + (now.size ? "#" + now : ""));
  },
};

const select = (name, values, value) => {
  const s = el("select", {name}, ...values.map(v => el("option", {value: v[0]}, v[1] ?? v[0])));
  s.value = value ?? values[0][0];
  if (s.selectedIndex < 0) s.selectedIndex = 0;
  return s;
};

// addOptions adds values to a list, each with its text, that it does not have yet.
function addOptions(list, values) {
  const had = new Set([...list.options].map(o => o.value));
  for (const [value, text] of values) if (!had.has(value)) list.append(el("option", {value}, text ?? value));
}

// typing reports whether the keyboard writes into a field.
const typing = () => /INPUT|SELECT|TEXTAREA/.test(document.activeElement.tagName);

// ruleField is the field of an option of a game's rules: a list of its values, which ends
// with a way to type another one where any may be allowed.
function ruleField(o, value = "") {
  const name = "rule." + o.name, list = o.values.map(v => [v.value, v.label]), usual = `usual (${list.find(v => v[0] === o.default)[1]})`;
  if (value && o.open && !list.some(v => v[0] === value)) return typed();
  const s = select(name, [["", usual], ...list, ...o.open ? [["", "another value…"]] : []], value);
  s.addEventListener("change", () => {
    if (!o.open || s.selectedIndex < s.length - 1) return;
    const input = typed();
    s.replaceWith(input);
    input.focus();
  });
  function typed() {
    const input = el("input", {name, value, placeholder: o.default, autocomplete: "off"});
    input.addEventListener("blur", () => { if (!input.value.trim()) input.replaceWith(ruleField(o)); });
    return input;
  }
  return s;
}
const rulesOf = text => Object.fromEntries((text ?? "").split(",").filter(Boolean).map(r => r.split("=")));
const rulesText = form => [...form.elements].filter(e => e.name?.startsWith("rule.") && e.value.trim()).map(e => e.name.slice(5) + "=" + e.value.trim()).join(",");

// The reader's earlier choices, on this machine.
const kept = {
  get(key, otherwise) { try { return JSON.parse(localStorage.getItem(key)) ?? otherwise; } catch { return otherwise; } },
  set(key, value) { try { localStorage.setItem(key, JSON.stringify(value)); } catch { /* private windows keep nothing */ } },
};

const count = n => String(Math.round(n)).replace(/\B(?=(\d{3})+$)/g, ",");
function number(x) {
  if (x === null || x === undefined || Number.isNaN(x)) return "–";
  if (x !== 0 && (Math.abs(x) < 0.01 || Math.abs(x) >= 1e6)) return String(Number(x.toPrecision(3)));
  return String(Math.round(x * 100) / 100);
}
const rate = x => x < 10 ? number(x) : count(x); // a second
function span(seconds) {
  if (seconds < 90) return Math.ceil(seconds) + " s";
  if (seconds < 5400) return Math.round(seconds / 60) + " min";
  return (seconds / 3600).toFixed(1) + " h";
}

// ago says how long ago a time was, and when says it, with the time of this place for a pointer.
const local = time => time.toLocaleString(document.documentElement.lang, {dateStyle: "medium", timeStyle: "short"});
function ago(time) {
  const past = (Date.now() - time) / 1000;
  if (past < 60) return "just now";
  if (past < 3600) return `${Math.floor(past / 60)} min ago`;
  if (past < 86400) return `${Math.floor(past / 3600)} h ago`;
  return past < 86400 * 14 ? `${Math.floor(past / 86400)} d ago` : local(time);
}
const when = text => el("time", {datetime: text, onpointerenter: e => { e.target.title = local(new Date(text)); }}, ago(new Date(text)));
setInterval(() => { // pages stay open
  for (const t of document.querySelectorAll("time[datetime]")) t.textContent = ago(new Date(t.dateTime));
}, 30000);

// save downloads a file.
function save(name, type, text) {
  const url = URL.createObjectURL(new Blob([text], {type}));
  el("a", {href: url, download: name}).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    toast("Copied.");
  } catch {
    prompt(language.of("Copy this:"), text);
  }
}
