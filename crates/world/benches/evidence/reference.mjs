// Role, name and role tree of pages, as playwright-core has them. Input, as JSON on standard input:
// { "executable": ..., "folder": ..., "pages": [{ "name": ..., "pairs": [[role, name], ...] }] }
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const { chromium } = createRequire(join(process.argv[2], "package.json"))("playwright-core");
const input = JSON.parse(readFileSync(0, "utf8"));
const browser = await chromium.launch({ executablePath: input.executable, args: ["--no-sandbox"] });
const types = { html: "text/html", css: "text/css", js: "text/javascript", svg: "image/svg+xml" };
const answer = [];
for (const { name, pairs } of input.pages) {
  const context = await browser.newContext({ viewport: { width: 1024, height: 768 }, reducedMotion: "reduce" });
  const page = await context.newPage();
  await page.route("**/*", (route) => {
    const path = new URL(route.request().url()).pathname.slice(1);
    if (path === "favicon.ico") return route.fulfill({ status: 204 });
    const file = join(input.folder, path);
    return route.fulfill({ body: readFileSync(file), contentType: types[path.split(".").pop()] });
  });
  await page.goto("http://story.localhost/" + name);
  await page.waitForTimeout(800);
  const snapshot = await page.locator("body").ariaSnapshot();
  const all = new Map(pairs.map((it) => [it.join("\t"), it]));
  for (const line of snapshot.split("\n")) {
    const found = line.match(/^\s*- (?:')?([a-z]+) ("(?:[^"\\]|\\.)*")/);
    if (found) all.set(found[1] + "\t" + JSON.parse(found[2]), [found[1], JSON.parse(found[2])]);
  }
  const counts = [];
  for (const [role, accessible] of all.values()) {
    let count = await page.getByRole(role, { name: accessible, exact: true }).count();
    for (const frame of page.frames().slice(1)) {
      count += await frame.getByRole(role, { name: accessible, exact: true }).count();
    }
    counts.push([role, accessible, count]);
  }
  answer.push({ name, snapshot, counts });
  await context.close();
}
await browser.close();
console.log(JSON.stringify(answer));
