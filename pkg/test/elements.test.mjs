// The elements in a plain page that knows nothing of the playground.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { after, before, describe, it } from "node:test";
import { serve } from "../playground/serve.mjs";
import { launch } from "./chromium.mjs";
import { picture, startPlayground } from "./playground-page.mjs";

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
    assert.deepEqual(await names(), ["Machine m1", "Machine m2", "Machine m3", "Cluster prod", "MachineHealthCheck workers"]);
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
      overview.objects = Array.from({ length: 5000 }, (_, i) => ({
        kind: "Machine",
        namespace: "default",
        name: `m${i}`,
        tone: i % 100 === 7 ? "bad" : "good",
        words: "",
        because: "",
      }));
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
    assert.deepEqual(
      violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => html) })),
      [],
    );
    assert.deepEqual(complaints, []);
  });
});

// A page around the playground: it may be on any origin, here it is another port.
it("an embedded playground takes objects by postMessage, from the page around it only", async () => {
  const playground = await startPlayground();
  const folder = mkdtempSync(join(tmpdir(), "embed-"));
  writeFileSync(
    join(folder, "index.html"),
    `<!doctype html><title>around</title><iframe width="1000" height="800" src="${playground.address}"></iframe><script>
    addEventListener("message", ({ source, data }) => {
      if (data.type === "capi-policy/ready") source.postMessage({ type: "capi-policy/open", now: "2025-06-01T12:00:00Z",
        objects: [{ apiVersion: "cluster.x-k8s.io/v1beta2", kind: "Machine", metadata: { name: "embedded" } }] }, "${new URL(playground.address).origin}");
    });
  </script>`,
  );
  const around = await serve(folder);
  try {
    const page = await playground.browser.newPage();
    await page.goto(around.address);
    const frame = page.frameLocator("iframe");
    await frame.locator("#headline h2", { hasText: "Machine embedded" }).waitFor();
    await frame.locator("#headline", { hasText: "at 2025-06-01 12:00:00" }).waitFor();
    await page.close();
    const alone = await playground.open();
    await alone.page.evaluate(() => postMessage({ type: "capi-policy/open", text: "kind: Machine" }));
    await alone.page.locator("#headline h2", { hasText: "MachineHealthCheck default/workers" }).waitFor();
  } finally {
    await around.close();
    await playground.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
