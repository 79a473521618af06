// "Simulate": the page gives the command line's answer, says how far it is, can be stopped, and opens the command line's links.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { picture, startPlayground } from "./playground-page.mjs";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const COMMAND = fileURLToPath(new URL("../../target/tested/capi-policy", import.meta.url));
const scenario = (name) => fileURLToPath(new URL(`../../scenarios/${name}.yaml`, import.meta.url));

describe("simulate", () => {
  let playground;
  before(async () => {
    playground = await startPlayground();
  });
  after(() => playground?.close());

  const open = async (name, options = {}) => {
    const page = await playground.open({ fragment: `#simulate=${name}`, ...options });
    await page.page.waitForSelector("#scenario-note:not(:empty)");
    return page;
  };
  const run = async ({ page }) => {
    await page.click("#run");
    await page.waitForSelector("#results .picture svg");
  };
  const json = async ({ page }) => {
    const [download] = await Promise.all([page.waitForEvent("download"), page.click("#save-json")]);
    return readFileSync(await download.path(), "utf8");
  };

  it("loads the simulator only when it is opened", async () => {
    const page = await playground.open();
    assert.ok(!page.requests.some((url) => url.includes("simulator")));
    await page.page.click("#open-simulate");
    await page.page.waitForSelector("#scenario-note:not(:empty)");
    await run(page);
    assert.match(await page.page.textContent(".answers"), /21 of 30/);
    await page.page.click("#open-simulate");
    await page.page.waitForSelector("#evaluate:not([hidden])");
    page.assertQuiet();
  });

  for (const [name, seeds, compare] of [
    ["zone-outage", "1..5", true],
    ["slow-boots", "7", false],
    ["control-plane-loses-two", "1..3", false],
  ]) {
    it(`says what the command line says: ${name}`, async () => {
      const page = await open(name);
      await page.page.fill("#seeds", seeds);
      if (compare) await page.page.selectOption("#compare", "own");
      await run(page);
      const words = ["simulate", scenario(name), "--seeds", seeds, "-o", "json", ...(compare ? ["--compare"] : [])];
      assert.equal(await json(page), execFileSync(COMMAND, words, { encoding: "utf8", maxBuffer: 1 << 28 }));
      page.assertQuiet();
    });
  }

  it("can be cancelled, and run again", async () => {
    const page = await open("zone-outage");
    await page.page.fill("#seeds", "1..20000");
    await page.page.click("#run");
    await page.page.waitForFunction(() => document.querySelector("#run-progress").value > 0);
    await page.page.click("#cancel");
    await page.page.locator("#run-state", { hasText: "Cancelled" }).waitFor();
    await page.page.fill("#seeds", "1");
    await run(page);
    page.assertQuiet();
  });

  it("says path and value of what is wrong", async () => {
    const page = await open("zone-outage");
    await page.page.fill("#seeds", "0..x");
    await page.page.click("#run");
    await page.page.locator("#scenario-problem", { hasText: 'found "0..x"' }).waitFor();
    await page.page.fill("#seeds", "1");
    await page.page.selectOption("#compare", "field");
    await page.page.fill("#compare-field", "healthChecks.workers.of=nobody");
    await page.page.click("#run");
    await page.page.locator("#scenario-problem", { hasText: "healthChecks.workers.of: expected the name of one" }).waitFor();
    page.assertQuiet();
  });

  it("opens the command line's link to a failing day", async () => {
    const { stderr } = spawnSync(COMMAND, ["simulate", scenario("zone-outage"), "--never", "replaced > 20%"], { encoding: "utf8" });
    const fragment = /#scenario=[\w-]+/.exec(stderr)?.[0] ?? assert.fail(stderr);
    const page = await playground.open({ fragment });
    await page.page.waitForFunction(() => document.querySelector("#scenario")?.value === "own");
    await run(page);
    assert.match(await page.page.textContent("#results"), /never replaced > 20%: not met on 1 of 1 day/);
    page.assertQuiet();
  });

  for (const colorScheme of ["light", "dark"]) {
    for (const [name, viewport] of [
      ["desktop", { width: 1400, height: 1000 }],
      ["phone", { width: 360, height: 740 }],
    ]) {
      it(`has no accessibility violation: ${colorScheme}, ${name}`, async () => {
        const page = await open("zone-outage", { viewport, colorScheme });
        await run(page);
        await page.page.evaluate(AXE);
        const found = await page.page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
        await page.page.screenshot({ path: picture(`${name}-${colorScheme}-simulate`), fullPage: true });
        assert.deepEqual(
          found.violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => html) })),
          [],
        );
        const overflow = await page.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(overflow <= 0, `${overflow} pixels too wide`);
      });
    }
  }
});
