// The elements in a plain page that knows nothing of the playground.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { after, before, describe, it } from "node:test";
import { serve } from "../playground/serve.mjs";
import { launch } from "./chromium.mjs";
import { picture } from "./playground-page.mjs";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

describe("the elements in a plain page", () => {
  let server;
  let browser;
  let page;
  const complaints = [];
  before(async () => {
    [server, browser] = await Promise.all([serve(fileURLToPath(new URL("..", import.meta.url))), launch()]);
    page = await browser.newPage({ viewport: { width: 1000, height: 1200 } });
    page.on("pageerror", (error) => complaints.push(String(error)));
    page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
    await page.goto(`${server.address}examples/console.html`);
    await page.locator("#name", { hasText: "MachineHealthCheck default/workers" }).waitFor();
  });
  after(async () => {
    await browser?.close();
    await server?.close();
  });

  const names = () => page.locator("capi-overview .object .name").allTextContents();

  it("shows every object, problems first, and one closely", async () => {
    assert.deepEqual(await names(), ["Machine m1", "Machine m2", "Machine m3", "MachineHealthCheck workers"]);
    assert.match(await page.locator("capi-threshold .threshold").textContent(), /1 of 3 not healthy \(1 waiting\), allowed up to 1/);
    assert.match(await page.locator("capi-timeline .moments li").first().textContent(), /m2 turns unhealthy/);
    await page.screenshot({ path: picture("console"), fullPage: true });
    await page.locator("capi-overview .object", { hasText: "Machine m2" }).click();
    await page.locator("#name", { hasText: "Machine default/m2" }).waitFor();
    const condition = page.locator('capi-conditions [data-condition="NodeReady"]');
    await condition.locator("summary").click();
    await condition.locator("capi-explanation tr[aria-current=true]").waitFor();
  });

  it("finds and filters", async () => {
    const search = page.locator("capi-overview input");
    await search.fill("m3");
    assert.deepEqual(await names(), ["Machine m3"]);
    await search.fill("nothing like that");
    await page.locator("capi-overview", { hasText: "No object is like that." }).waitFor();
    await search.fill("");
    await page.locator("capi-overview select").selectOption("MachineHealthCheck");
    assert.deepEqual(await names(), ["MachineHealthCheck workers"]);
    await page.locator("capi-overview select").selectOption("");
  });

  it("draws only what is in view of 5,000 objects", async () => {
    await page.evaluate(() => {
      const overview = document.querySelector("capi-overview");
      overview.objects = Array.from({ length: 5000 }, (_, i) => ({ kind: "Machine", namespace: "default", name: `m${i}`, tone: i % 100 === 7 ? "bad" : "good", words: "", because: "" }));
    });
    await page.locator('capi-overview .tone[data-tone="bad"]', { hasText: "50 wrong" }).click();
    assert.equal((await names())[0], "Machine m7");
    await page.locator('capi-overview .tone[data-tone="all"]').click();
    const drawn = await page.locator("capi-overview .object").count();
    assert.ok(drawn < 60, `${drawn} of 5,000 are drawn`);
    await page.locator("capi-overview .list").evaluate((list) => list.scrollTo(0, list.scrollHeight));
    await page.locator("capi-overview .object", { hasText: "Machine m4999" }).waitFor();
  });

  it("has no accessibility violation and no complaint", async () => {
    await page.evaluate(AXE);
    const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
    assert.deepEqual(violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => html) })), []);
    assert.deepEqual(complaints, []);
  });
});
