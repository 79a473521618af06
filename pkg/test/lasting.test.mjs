// Nothing is lost and nothing is silent: drafts, history, workers that end, links that are too much, storage that is blocked.
import assert from "node:assert/strict";
import { deflateRawSync } from "node:zlib";
import { after, before, describe, it } from "node:test";
import { stringify } from "yaml";
import { snapshotFor } from "./fixtures.mjs";
import { PlaygroundPage, startPlayground } from "./playground-page.mjs";

const SNAPSHOT = stringify(snapshotFor("MachineHealthCheck"));
const HEADLINE = "MachineHealthCheck default/hc";

describe("what lasts", () => {
  let playground;
  before(async () => {
    playground = await startPlayground();
  });
  after(() => playground?.close());

  const headline = ({ page }, text) => page.locator("#headline h2", { hasText: text }).waitFor();
  const notice = ({ page }, text) => page.locator("#notice", { hasText: text }).waitFor();
  const kept = ({ page }) => page.locator("#draft-state", { hasText: "Kept in this browser" }).waitFor();
  const type = async (page, text) => {
    await page.page.locator("#editor .cm-content").click();
    await page.page.keyboard.press("Control+Home");
    await page.page.keyboard.type(text);
  };
  const choose = async ({ page }, filter) => {
    await page.click("#open-gallery");
    await page.fill("#gallery-filter", filter);
    await page.locator("#gallery .example").first().click();
    await page.locator("#gallery").waitFor({ state: "hidden" });
  };

  it("restores a draft on the next visit, with the time at which it was pasted", async () => {
    const page = await playground.open();
    const objects = stringify({ apiVersion: "cluster.x-k8s.io/v1beta2", kind: "Machine", metadata: { name: "mine" } });
    await page.paste(objects);
    await headline(page, "Machine mine");
    await kept(page);
    const now = await page.page.inputValue("#start");
    await page.page.locator("#start-of", { hasText: "when it was opened" }).waitFor();
    await page.page.goto("about:blank");
    await page.goto("");
    await headline(page, "Machine mine");
    assert.equal(await page.page.inputValue("#start"), now);
    assert.match(await page.page.evaluate(() => location.hash), /^#draft=/);
    await page.page.context().close();
  });

  it("goes back to the example before, the draft before, the link before", async () => {
    const page = await playground.open({ permissions: ["clipboard-read", "clipboard-write"] });
    const note = (text) => page.page.locator("#note", { hasText: text }).waitFor();
    await choose(page, "range has a lower end");
    await note("One unhealthy machine is not enough");
    await type(page, "# mine\n");
    await page.page.waitForFunction(() => location.hash.startsWith("#draft="));
    await kept(page);
    await page.page.click("#open-share");
    await page.page.click("#share-link");
    await page.page.waitForFunction(() => location.hash.startsWith("#s="));
    await page.page.keyboard.press("Escape");
    await choose(page, "Stuck");
    await page.page.locator("#headline h2", { hasText: "MachineDeployment" }).waitFor();

    const firstLine = () => page.page.locator("#editor .cm-line").first().textContent();
    const back = async (hash) => {
      await page.page.goBack();
      await page.page.waitForFunction((hash) => location.hash.startsWith(hash), hash);
      await note("One unhealthy machine is not enough");
    };
    const untilFirstLine = (text) =>
      page.page.waitForFunction(
        (text) => document.querySelector("#editor").shadowRoot.querySelector(".cm-line")?.textContent.startsWith(text),
        text,
      );
    await back("#s=");
    await untilFirstLine("# mine");
    await back("#draft=");
    await untilFirstLine("# mine");
    await back("#example=");
    await untilFirstLine("# One unhealthy");
    await page.page.goForward();
    await untilFirstLine("# mine");
    assert.equal(await firstLine(), "# mine");
    await page.page.context().close();
  });

  it("works without storage, and says so", async () => {
    const context = await playground.browser.newContext({ viewport: { width: 1400, height: 1000 } });
    await context.addInitScript(() => {
      for (const name of ["localStorage", "indexedDB"]) {
        Object.defineProperty(globalThis, name, {
          get: () => {
            throw new DOMException("blocked", "SecurityError");
          },
        });
      }
    });
    const page = new PlaygroundPage(await context.newPage(), playground.address);
    await page.goto("");
    const theme = () => page.page.evaluate(() => document.documentElement.dataset.theme);
    assert.equal(await theme(), "light");
    await page.page.click("#theme");
    assert.equal(await theme(), "dark");
    // Playwright's init scripts don't reach workers: block the database there too.
    await page.page
      .workers()
      .find((worker) => worker.url().includes("worker"))
      .evaluate(() => {
        Object.defineProperty(globalThis, "indexedDB", {
          get: () => {
            throw new DOMException("blocked", "SecurityError");
          },
        });
      });
    await page.paste(SNAPSHOT);
    await headline(page, HEADLINE);
    await page.page.locator("#draft-state", { hasText: "This browser does not keep drafts (blocked)" }).waitFor();
    page.assertQuiet();
    await context.close();
  });

  it("says that the policy can't be loaded, and tries again", async () => {
    const context = await playground.browser.newContext();
    let broken = true;
    await context.route("**/*.wasm", (route) => (broken ? route.abort() : route.continue()));
    const page = new PlaygroundPage(await context.newPage(), playground.address);
    await page.page.goto(page.address);
    await notice(page, "The policy could not be loaded");
    broken = false;
    await page.page.getByRole("button", { name: "Try again" }).click();
    await page.settled();
    await context.close();
  });

  const policyWorker = ({ page }) =>
    page.workers().find((worker) => /\/worker-[^/]*$/.test(worker.url())) ??
    assert.fail(
      page
        .workers()
        .map((worker) => worker.url())
        .join(),
    );
  const endings = {
    "is closed": () => setTimeout(() => self.close()),
    throws: () =>
      void setTimeout(() => {
        throw new Error("a bug");
      }),
    traps: () => {
      const trap = () => {
        throw new WebAssembly.RuntimeError("unreachable");
      };
      TextDecoder.prototype.decode = trap;
    },
  };
  for (const [how, end] of Object.entries(endings)) {
    it(`goes on after its worker ${how}`, async () => {
      const page = await playground.open();
      await page.paste(SNAPSHOT);
      await headline(page, HEADLINE);
      await policyWorker(page).evaluate(end);
      if (how === "traps") await type(page, "# typed\n");
      await notice(page, "The policy stopped");
      if (how !== "traps") await type(page, "# typed\n");
      await page.settled();
      await headline(page, HEADLINE);
      await page.page.fill("#limit", "0");
      await page.page.locator("#headline", { hasText: "Remediation blocked" }).waitFor();
      assert.equal(await page.page.locator("#editor .cm-line").first().textContent(), "# typed");
      await page.page.context().close();
    });
  }

  it("takes deep nesting for an error", async () => {
    const page = await playground.open();
    for (const text of [
      `${"[".repeat(100_000)}${"]".repeat(100_000)}`,
      `a: ${"[".repeat(20_000)}`,
      `a: ${"[".repeat(101)}`,
      `${'{"a":'.repeat(200)}1${"}".repeat(200)}`,
    ]) {
      await page.paste(text);
      await page.page.locator("#problem", { hasText: "nested at most 100 levels deep" }).waitFor();
      assert.equal(await page.page.isVisible("#notice"), false);
      await page.paste(SNAPSHOT);
      await page.settled();
    }
    page.assertQuiet();
    await page.page.context().close();
  });

  it("opens no link of more than 8 MB of text, and makes none", async () => {
    const pack = (text) => deflateRawSync(text).toString("base64url");
    const bomb = pack(`{"text":"${" ".repeat(64 << 20)}`);
    const other = await playground.browser.newPage();
    await other.goto(`${playground.address}#s=${bomb}`);
    await other.locator("#notice", { hasText: "The link was not opened: it holds more than 8 MB of text" }).waitFor();
    await other.locator("#headline", { hasText: "Remediation blocked" }).waitFor();
    await other.close();

    const page = await playground.open({ permissions: ["clipboard-read", "clipboard-write"] });
    await page.paste(`${SNAPSHOT}\n# ${"x".repeat(8 << 20)}\n`);
    await headline(page, HEADLINE);
    await page.settled();
    await page.page.click("#open-share");
    await page.page.click("#share-link");
    await page.page.locator("#share-said", { hasText: "A link holds at most 8 MB of text, this session has 8.0 MB" }).waitFor();
    await page.page.context().close();
  });

  it("dims and labels a decision that is not about the text", async () => {
    const page = await playground.open();
    const stale = () => page.page.locator("#decision.stale #stale", { hasText: "not about this text" }).waitFor();
    await page.page.locator("#editor .cm-content").click();
    await page.page.keyboard.press("Control+a");
    await page.page.keyboard.press("Delete");
    await stale();
    await page.paste(SNAPSHOT);
    await page.settled();
    assert.equal(await page.page.isVisible("#stale"), false);
    await type(page, "}");
    await stale();
    await page.page.context().close();
  });

  it("shows the receiver of a link the sender's decision, at the sender's time", async () => {
    const page = await playground.open({ permissions: ["clipboard-read", "clipboard-write"] });
    await page.paste(stringify({ apiVersion: "cluster.x-k8s.io/v1beta2", kind: "Machine", metadata: { name: "mine" } }));
    await headline(page, "Machine mine");
    await page.settled();
    const now = await page.page.inputValue("#start");
    await page.page.click("#open-share");
    await page.page.click("#share-link");
    await page.page.locator("#share-said", { hasText: "copied" }).waitFor();
    const link = await page.page.evaluate(() => navigator.clipboard.readText());
    const other = await playground.open({ fragment: link.slice(playground.address.length) });
    await headline(other, "Machine mine");
    assert.equal(await other.page.inputValue("#start"), now);
    await other.page.locator("#start-of", { hasText: "set here" }).waitFor();
    await page.page.context().close();
    await other.page.context().close();
  });
});
