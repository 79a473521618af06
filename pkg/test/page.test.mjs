// The page as a whole: accessible, at home on a phone, asking nobody, saying what it runs.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, describe, it } from "node:test";
import { picture, startPlayground } from "./playground-page.mjs";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

describe("the page", () => {
  let playground;
  before(async () => {
    playground = await startPlayground();
  });
  after(() => playground?.close());

  const violations = async (page) => {
    await page.evaluate(AXE);
    const found = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
    return found.violations.map(({ id, help, nodes }) => ({
      id,
      help,
      nodes: nodes.map(({ html, failureSummary }) => `${html}\n${failureSummary}`),
    }));
  };
  const lookClosely = async ({ page }) => {
    await page.waitForSelector("#time svg");
    await page.click(".cells .cell.waiting");
    await page.waitForSelector("[data-machine]");
    await page.click('[data-machine] [data-condition="HealthCheckSucceeded"] summary');
    await page.fill("#limit", "50%");
    await page.waitForSelector("#flips li");
  };

  for (const colorScheme of ["light", "dark"]) {
    for (const [name, viewport] of [
      ["desktop", { width: 1400, height: 1000 }],
      ["phone", { width: 360, height: 740 }],
    ]) {
      it(`has no accessibility violation: ${colorScheme}, ${name}`, async () => {
        const page = await playground.open({ viewport, colorScheme });
        await page.page.waitForSelector("#time svg");
        await page.page.screenshot({ path: picture(`${name}-${colorScheme}`) });
        assert.deepEqual(await violations(page.page), []);
        await lookClosely(page);
        await page.page.screenshot({ path: picture(`${name}-${colorScheme}-machine`), fullPage: true });
        assert.deepEqual(await violations(page.page), []);
        const overflow = await page.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(overflow <= 0, `${overflow} pixels too wide`);
        for (const dialog of ["gallery", "paste", "share"]) {
          await page.page.click(`#open-${dialog}`);
          await page.page.waitForSelector(`#${dialog}[open] button`);
          await page.page.screenshot({ path: picture(`${name}-${colorScheme}-${dialog}`) });
          assert.deepEqual(await violations(page.page), [], dialog);
          await page.page.keyboard.press("Escape");
        }
        page.assertQuiet();
        await page.page.context().close();
      });
    }
  }

  it("can be used without a mouse", async () => {
    const { page } = await playground.open();
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement.textContent), "Skip to the decision");
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement.id), "open-paste");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.waitForSelector("#gallery[open]");
    assert.equal(await page.evaluate(() => document.activeElement.id), "gallery-filter");
    await page.keyboard.type("range has a lower end");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.locator("#note", { hasText: "One unhealthy machine is not enough" }).waitFor();
    await page.locator("#slider").focus();
    await page.keyboard.press("ArrowRight");
    await page.waitForFunction(() => document.querySelector("#offset").textContent === "+1s");
  });

  it("remembers light or dark", async () => {
    const { page } = await playground.open({ colorScheme: "light" });
    const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
    assert.equal(await theme(), "light");
    await page.click("#theme");
    assert.equal(await theme(), "dark");
    await page.reload();
    assert.equal(await theme(), "dark");
  });

  it("says which policy it runs: version and digest of the very module", async () => {
    const { page, requests } = await playground.open();
    await page.locator("#version", { hasText: "sha256:" }).waitFor();
    const address =
      requests.find((url) => url.endsWith(".wasm")) ??
      (await page.evaluate(() =>
        performance
          .getEntriesByType("resource")
          .map(({ name }) => name)
          .find((name) => name.endsWith(".wasm")),
      ));
    const file = address
      ? Buffer.from(await (await fetch(address)).arrayBuffer())
      : readFileSync(new URL("../wasm/capi_policy_bg.wasm", import.meta.url));
    const digest = createHash("sha256").update(file).digest("hex");
    assert.equal(await page.getAttribute("#version code", "title"), `sha256:${digest}`);
    const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
    assert.match(await page.textContent("#version"), new RegExp(`^capi-policy ${version} sha256:${digest.slice(0, 12)}`));
  });

  it("allows itself nothing but its own files", async () => {
    const { page } = await playground.open();
    const policy = await page.getAttribute("meta[http-equiv=Content-Security-Policy]", "content");
    assert.ok(policy.includes("default-src 'none'") && !policy.includes("unsafe-inline") && !policy.includes("'unsafe-eval'"), policy);
    const refused = await page.evaluate(() =>
      fetch("http://127.0.0.1:9/").then(
        () => "answered",
        () => "refused",
      ),
    );
    assert.equal(refused, "refused");
  });
});
