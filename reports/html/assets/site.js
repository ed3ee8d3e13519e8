// The site's behaviour: theme, search, filters of the matrix, age of the data, charts. Pages say everything without it.
"use strict";

const root = document.body.dataset.root;

function theme() {
  const kept = (() => { try { return localStorage.getItem("mqconform-theme"); } catch { return null; } })();
  if (kept) document.documentElement.dataset.theme = kept;
  document.getElementById("theme").addEventListener("click", () => {
    const dark = getComputedStyle(document.documentElement).colorScheme === "dark" ||
      (!document.documentElement.dataset.theme && matchMedia("(prefers-color-scheme: dark)").matches);
    document.documentElement.dataset.theme = dark ? "light" : "dark";
    try { localStorage.setItem("mqconform-theme", document.documentElement.dataset.theme); } catch { /* private mode */ }
    charts();
  });
}

function loaded(name) {
  return new Promise((done, failed) => {
    const script = document.createElement("script");
    script.src = `${root}assets/${name}`;
    script.onload = done;
    script.onerror = failed;
    document.head.append(script);
  });
}

let index = null;
async function makeIndex() {
  await loaded("minisearch.js");
  await loaded("search-index.js");
  const made = new MiniSearch({ fields: ["t", "s"], storeFields: ["t", "s", "u"], tokenize: (text) => text.toLowerCase().split(/[\s/.,;:()"'-]+/u), searchOptions: { prefix: true, fuzzy: 0.15, combineWith: "AND", boost: { t: 2 } } });
  made.addAll(window.mqSearchIndex);
  return made;
}

// Every key that is pressed asks for it, most of them before it is there: it is made once.
function searchIndex() {
  index ??= makeIndex();
  return index;
}

function search() {
  const field = document.getElementById("search");
  if (!field) return; // the page of a matrix stands alone
  const list = document.getElementById("found");
  const show = async () => {
    list.hidden = !field.value.trim();
    if (list.hidden) return;
    const known = await searchIndex();
    const text = field.value.trim(); // as it is now, not as it was before the wait
    list.hidden = !text;
    const found = text ? known.search(text).slice(0, 30) : [];
    list.replaceChildren(...found.map((one) => {
      const item = document.createElement("li");
      const link = document.createElement("a");
      link.href = root + one.u.split("/").map(encodeURIComponent).join("/");
      link.textContent = one.t;
      const more = document.createElement("small");
      more.textContent = one.s;
      item.append(link, more);
      return item;
    }));
    if (!found.length) {
      const item = document.createElement("li");
      item.textContent = "nothing found";
      list.append(item);
    }
  };
  field.addEventListener("input", show);
  if (field.value) show(); // typed before this script was there
  field.addEventListener("keydown", (event) => { if (event.key === "Escape") { field.value = ""; list.hidden = true; } });
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && !/^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) { event.preventDefault(); field.focus(); }
  });
}

function filters() {
  const form = document.getElementById("filters");
  if (!form) return;
  const rows = [...document.querySelectorAll("#matrix tbody tr")].map((row) => {
    const standings = [...row.querySelectorAll("td[data-standing]")].map((cell) => cell.dataset.standing);
    return { row, standings, text: row.textContent.toLowerCase(), level: row.dataset.level, differ: new Set(standings).size > 1 };
  });
  const [text, standing, level, differ, count] = ["text", "standing", "level", "differ", "count"].map((id) => document.getElementById(id));
  const apply = () => {
    const words = text.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const one of rows) {
      const fits = words.every((word) => one.text.includes(word)) && (!standing.value || one.standings.includes(standing.value)) &&
        (!level.value || one.level === level.value) && (!differ.checked || one.differ);
      one.row.hidden = !fits;
      shown += fits;
    }
    count.textContent = `${shown} of ${rows.length} requirements`;
    const asked = new URLSearchParams([["q", text.value], ["standing", standing.value], ["level", level.value], ["differ", differ.checked ? "1" : ""]].filter(([, value]) => value));
    history.replaceState(null, "", `${location.pathname}${asked.size ? `?${asked}` : ""}${location.hash}`); // so that the address can be sent
  };
  const kept = new URLSearchParams(location.search);
  text.value = kept.get("q") ?? "";
  standing.value = kept.get("standing") ?? "";
  level.value = kept.get("level") ?? "";
  for (const choice of [standing, level]) if (choice.selectedIndex < 0) choice.value = ""; // an address may say anything
  differ.checked = kept.get("differ") === "1";
  form.addEventListener("input", apply);
  form.addEventListener("submit", (event) => event.preventDefault());
  apply();
}

function copying() {
  for (const button of document.querySelectorAll("button.copy")) {
    button.hidden = !navigator.clipboard;
    const usual = button.textContent;
    button.addEventListener("click", async () => {
      try { await navigator.clipboard.writeText(button.dataset.copy); button.textContent = "copied"; } catch { button.textContent = "not allowed here"; }
      setTimeout(() => { button.textContent = usual; }, 2000);
    });
  }
}

function stale() {
  for (const banner of document.querySelectorAll(".stale")) {
    const days = Math.floor((Date.now() - Date.parse(banner.dataset.started)) / 86400000);
    if (days >= 30) {
      banner.textContent = `These results are ${days} days old; run mqconform again before you rely on them.`;
      banner.hidden = false;
    }
  }
}

function cards() {
  for (const table of document.querySelectorAll(".cards")) {
    const titles = [...table.querySelectorAll("thead th")].map((title) => title.textContent);
    for (const row of table.tBodies[0].rows) {
      [...row.cells].forEach((cell, place) => { if (place && cell.textContent.trim()) cell.dataset.label ??= titles[place]; });
    }
  }
}

function charts() {
  if (!window.echarts) return;
  const dark = getComputedStyle(document.body).backgroundColor !== "rgb(255, 255, 255)";
  for (const place of document.querySelectorAll(".chart")) {
    const data = JSON.parse(document.getElementById(place.dataset.options).textContent);
    echarts.getInstanceByDom(place)?.dispose();
    const chart = echarts.init(place, dark ? "dark" : null, { renderer: "svg" });
    chart.setOption({ backgroundColor: "transparent", animation: false, aria: { enabled: true }, ...data });
    addEventListener("resize", () => chart.resize());
  }
}

theme();
search();
filters();
copying();
cards();
stale();
charts();
