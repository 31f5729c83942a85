// The workshop of stories. All that comes from a project is set as text, never as markup.
"use strict";

const $ = (id) => document.getElementById(id);
const verdicts = new Map();
let stories = [], version = 0, chosen = null, running = false, last = null;

// The token is in the fragment, which no request has, and then in this tab alone.
const fragment = location.hash.slice(1);
if (fragment) {
  sessionStorage.setItem("token", fragment);
  history.replaceState(null, "", "/");
}
const token = sessionStorage.getItem("token") || "";

async function call(path, body) {
  const headers = { authorization: "Bearer " + token };
  const answer = await fetch(path, body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) });
  const text = await answer.text();
  if (!answer.ok) throw new Error(text || "status " + answer.status);
  return JSON.parse(text);
}

function element(tag, text, properties = {}) {
  const made = document.createElement(tag);
  if (text) made.textContent = text;
  return Object.assign(made, properties);
}

const key = (story) => story.file + "\n" + story.name;
const state = (text) => { $("state").textContent = text };

function draw() {
  const wanted = $("filter").value.toLowerCase();
  const items = [];
  let file = null;
  for (const story of stories) {
    if (!(story.file + story.name).toLowerCase().includes(wanted)) continue;
    if (file !== story.file) {
      file = story.file;
      const item = element("li");
      item.append(element("h2", file));
      items.push(item);
    }
    const verdict = verdicts.get(key(story));
    const button = element("button", story.name, { onclick: () => run(story) });
    if (verdict) {
      button.className = verdict.passed ? "passed" : "failed";
      button.setAttribute("aria-description", verdict.passed ? "passed" : "failed");
    }
    if (chosen === key(story)) button.setAttribute("aria-current", "true");
    const item = element("li");
    item.append(button);
    items.push(item);
  }
  $("list").replaceChildren(...items);
}

function picture(label, data) {
  return element("img", "", { alt: label, src: "data:image/png;base64," + data });
}

function shown(story) {
  const parts = [element("h2", story.name + (story.passed ? " passed" : " failed"))];
  if (story.failure) {
    const { line, step, reason, there } = story.failure;
    parts.push(element("p", `${story.file}:${line}: ${step}`), element("p", reason, { className: "reason" }));
    if (there.length) parts.push(element("pre", there.join("\n")));
    if (story.difference) parts.push(picture("what differs, in red", story.difference));
    if (story.picture) parts.push(picture("the page at the failure", story.picture));
  }
  if (story.incidents) parts.push(element("pre", story.incidents.map((it) => it.kind + ": " + it.text).join("\n")));
  const steps = element("ol");
  for (const moment of story.moments || []) {
    const details = element("details", "", { open: !!moment.failure });
    details.append(element("summary", `line ${moment.line}: ${moment.step}`));
    for (const lines of [moment.console, moment.events, moment.threads, moment.page]) {
      if (lines.length) details.append(element("pre", lines.join("\n")));
    }
    if (moment.picture) details.append(picture("the page after line " + moment.line, moment.picture));
    const item = element("li", "", { className: moment.failure ? "failed" : "" });
    item.append(details);
    steps.append(item);
  }
  parts.push(steps);
  $("result").replaceChildren(...parts);
}

function problems(list) {
  return list.map((it) => element("p", it.message + (it.hint ? " – " + it.hint : ""), { className: "reason" }));
}

async function run(story) {
  if (running) return;
  running = true;
  last = story;
  chosen = story ? key(story) : null;
  draw();
  state("Running");
  try {
    const answer = await call("/run", story ? { file: story.file, name: story.name } : {});
    for (const it of answer.stories) verdicts.set(key(it), it);
    const failed = answer.stories.filter((it) => !it.passed);
    if (story && answer.stories.length) shown(answer.stories[0]);
    else if (failed.length) shown(failed[0]);
    else $("result").replaceChildren(element("p", "All stories passed."));
    const notBuilt = answer.not_built.map((it) => ({ message: it }));
    $("result").prepend(...problems(answer.problems), ...problems(notBuilt));
    state(`${answer.passed} passed, ${answer.failed + answer.not_built.length} failed`);
  } catch (error) {
    state(error.message);
  }
  running = false;
  draw();
}

async function load() {
  const listed = await call("/stories");
  stories = listed.stories;
  version = listed.version;
  draw();
  if (listed.problems.length) $("result").replaceChildren(...problems(listed.problems));
}

async function follow() {
  for (;;) {
    try {
      const now = await call("/changes?since=" + version);
      if (now.version === version) continue;
      await load();
      if ($("again").checked && (last || verdicts.size)) await run(last);
    } catch (error) {
      state("The server does not answer: " + error.message);
      await new Promise((done) => setTimeout(done, 2000));
    }
  }
}

$("all").onclick = () => run(null);
$("filter").oninput = draw;
load().then(() => state(stories.length + " stories"), (error) => state(error.message)).then(follow);
