// The right side: the table that decided, time, what if, and ways to take it along.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, beforeEach, describe, it } from "node:test";
import { evaluate, forecast, init } from "capi-policy";
import { parse, stringify } from "yaml";
import { NOW, snapshotFor } from "./fixtures.mjs";
import { PlaygroundPage, startPlayground } from "./playground-page.mjs";

const SNAPSHOT = snapshotFor("MachineHealthCheck");

describe("the decision", () => {
  let playground;
  let page;
  before(async () => {
    await init();
    playground = await startPlayground();
  });
  beforeEach(async () => {
    page = await playground.open({ permissions: ["clipboard-read", "clipboard-write"] });
    await page.paste(stringify(SNAPSHOT));
    await page.page.waitForFunction(() => document.querySelector("#headline h2").textContent === "MachineHealthCheck default/hc");
    await page.settled();
  });
  after(() => playground?.close());

  const verdict = (name) => page.page.getAttribute(`.cells [data-name="${name}"]`, "data-verdict");
  const untilVerdict = (name, wanted) => page.page.waitForSelector(`.cells [data-name="${name}"][data-verdict="${wanted}"]`);
  const slide = (seconds) => page.slide(seconds);
  const timeline = () => page.page.waitForSelector(".moments li");

  const copiedCase = async () => {
    await page.page.click("#open-share");
    await page.page.click("#share-case");
    await page.page.locator("#share-said", { hasText: "copied" }).waitFor();
    return parse(await page.page.evaluate(() => navigator.clipboard.readText()));
  };

  it("shows the table, the row that fired, and the facts", async () => {
    const { explanations, conditions } = evaluate({ ...SNAPSHOT, explain: true });
    const allowed = conditions.find(({ type }) => type === "RemediationAllowed");
    const { facts } = explanations.find(({ table }) => table === "MHC-RA");
    const entry = page.page.locator('[data-condition="RemediationAllowed"]');
    await entry.locator("table").waitFor();
    assert.equal(await entry.locator("tr[aria-current=true]").getAttribute("data-row"), allowed.row);
    const shown = await entry
      .locator(".facts > div")
      .evaluateAll((items) =>
        items.map((item) => ({ name: item.querySelector("dt").textContent, value: item.querySelector("dd").textContent })),
      );
    assert.deepEqual(
      shown,
      facts.map(({ name, value }) => ({ name, value: value || "—" })),
    );
    const states = await entry.locator("tbody tr").evaluateAll((rows) => rows.map(({ dataset }) => dataset.state));
    assert.deepEqual(states, ["passed", "passed", "passed", "decided"]);
  });

  it("shows one machine closely, by keyboard", async () => {
    await page.page.locator('.cells [data-name="m1"]').focus();
    await page.page.keyboard.press("ArrowRight");
    await page.page.keyboard.press("Enter");
    const machine = page.page.locator('[data-machine="m2"]');
    await machine.waitFor();
    assert.match(
      await machine.textContent(),
      /Counts since 2025-06-01 11:58:00 \(the condition changed\)\. Turns unhealthy in 3m 1s, at 2025-06-01 12:03:01\./,
    );
    assert.equal(await machine.locator('[data-condition="HealthCheckSucceeded"] .row-id').textContent(), "MHC-HCS-11");
    await page.page.getByRole("button", { name: "Close m2" }).click();
    await machine.waitFor({ state: "detached" });
  });

  it("draws the threshold with the counts that went into it", async () => {
    const { threshold } = evaluate(SNAPSHOT);
    const text = await page.page.textContent(".threshold");
    assert.match(text, /1 of 3 not healthy \(1 waiting\), allowed up to 1 \(unhealthyLessThanOrEqualTo: 40%\) → allowed/);
    assert.ok(text.includes(threshold.flips));
  });

  it("changes verdicts at the deadline, and not a second before", async () => {
    await timeline();
    const { moments } = forecast(SNAPSHOT, "2025-06-02T12:00:00Z");
    const deadline = (Date.parse(moments[0].at) - Date.parse(NOW)) / 1000;
    assert.equal(deadline, 181);
    await slide(deadline - 1);
    await page.page.waitForFunction(() => document.querySelector("#offset").textContent === "+3m");
    await page.page.waitForFunction(() => document.querySelector("#follow-up").textContent.includes("Ask again after 1s"));
    assert.equal(await verdict("m2"), "waiting");
    await slide(deadline);
    await untilVerdict("m2", "unhealthy");
    assert.deepEqual(
      (({ marked: _, ...shown }) => shown)(await page.decision()),
      PlaygroundPage.expected(evaluate({ ...SNAPSHOT, now: moments[0].at })),
    );
    await slide(0);
    await untilVerdict("m2", "waiting");
    await page.page.click("#next-change");
    await untilVerdict("m2", "unhealthy");
    assert.equal(await page.page.inputValue("#slider"), String(deadline));
  });

  it("plays, pauses, and ends at the end", async () => {
    await timeline();
    const playing = (wanted) => page.page.waitForSelector(`#play[aria-pressed=${wanted}]`);
    await slide(170);
    await page.page.click("#play");
    await playing(true);
    await untilVerdict("m2", "unhealthy");
    await page.page.click("#play");
    await playing(false);
    const end = Number(await page.page.getAttribute("#slider", "max"));
    await slide(end - 20);
    await page.page.click("#play");
    await playing(false);
    assert.equal(await page.page.inputValue("#slider"), String(end));
  });

  it("draws when a machine turns unhealthy, and when its remediation starts or is blocked", async () => {
    await timeline();
    const titles = () => page.page.$$eval("#time svg title", (items) => items.map((item) => item.textContent));
    const [first] = await page.page.$$eval(".moments li", (items) => items.map((item) => item.textContent));
    assert.equal(first, "+3m 1sm2 turns unhealthy and is handed to its owner");
    assert.ok((await titles()).includes("m2 is handed to its owner at +3m 1s"));
    await page.page.fill("#limit", "0");
    await page.page.locator(".moments li", { hasText: "m2 turns unhealthy, remediation is blocked" }).waitFor();
    const blocked = await titles();
    assert.ok(
      blocked.includes("m2: remediation blocked from +3m 1s") && !blocked.includes("m2 is handed to its owner at +3m 1s"),
      blocked.join("\n"),
    );
    assert.equal(await page.page.locator("#time svg text", { hasText: "remediation blocked" }).count(), 1, "the legend");
  });

  it("tries out what the document does not say, and shows what flips", async () => {
    await page.page.fill("#limit", "0");
    await page.page.locator("#headline", { hasText: "Remediation blocked" }).waitFor();
    await page.page.locator("#flips li", { hasText: "hc RemediationAllowed True" }).waitFor();
    await page.page.fill("#range", "[1-2]");
    await page.page.locator("#headline", { hasText: "Remediation allowed" }).waitFor();
    await page.page.fill('[id="timeout-unhealthyNodeConditions/0"]', "60");
    await untilVerdict("m2", "unhealthy");
    await page.page.locator("#flips li", { hasText: "m2 verdict waiting → unhealthy" }).waitFor();
    await page.page.check('input[value="cluster-api-v1.13"]');
    await page.page.locator("#headline", { hasText: "profile cluster-api-v1.13" }).waitFor();

    await page.page.click("#what-if-apply");
    await page.page.waitForSelector("#flips", { state: "hidden" });
    assert.equal(await verdict("m2"), "unhealthy");
    const { input } = (await copiedCase()).cases[0];
    assert.equal(input.profile, "cluster-api-v1.13");
    assert.deepEqual(input.machineHealthCheck.spec.remediation.triggerIf, { unhealthyLessThanOrEqualTo: 0, unhealthyInRange: "[1-2]" });
    assert.equal(input.machineHealthCheck.spec.checks.unhealthyNodeConditions[0].timeoutSeconds, 60);
    await page.page.keyboard.press("Escape");
    assert.equal(await page.page.isDisabled("#what-if-reset"), true);
  });

  it("shares the session in a link that a new tab restores", async () => {
    await timeline();
    await page.page.fill("#limit", "0");
    await page.page.locator("#flips li").first().waitFor();
    await slide(181);
    await untilVerdict("m2", "unhealthy");
    await page.page.click('.cells [data-name="m2"]');
    await page.page.waitForSelector('[data-machine="m2"]');
    await page.page.click("#open-share");
    await page.page.click("#share-link");
    await page.page.locator("#share-said", { hasText: "copied" }).waitFor();
    const link = await page.page.evaluate(() => navigator.clipboard.readText());
    assert.ok(link.startsWith(`${playground.address}#s=`), link.slice(0, 80));
    const wanted = await page.decision();

    const other = await playground.open({ fragment: link.slice(playground.address.length) });
    await other.page.waitForSelector('[data-machine="m2"][data-verdict="unhealthy"]');
    assert.deepEqual(await other.decision(), wanted);
    assert.equal(await other.page.inputValue("#limit"), "0");
    await other.page.waitForFunction(() => document.querySelector("#slider").value === "181");
    assert.ok(
      other.requests.every((url) => !url.includes("#")),
      "the fragment stays in the browser",
    );
    other.assertQuiet();
  });

  it("says so when a link is broken", async () => {
    const other = await playground.browser.newPage();
    await other.goto(`${playground.address}#s=AAAA`);
    await other.locator("#notice", { hasText: "The link is broken" }).waitFor();
    await other.locator("#headline", { hasText: "Remediation blocked" }).waitFor();
    await other.close();
  });

  it("is copied as a test case that holds", async () => {
    const { cases } = await copiedCase();
    assert.equal(cases.length, 1);
    const [{ input, want }] = cases;
    const { conditions, machines } = evaluate(input);
    const named = ({ type, status, reason, message }) => ({ type, status, reason, message });
    assert.deepEqual(want.conditions, conditions.map(named));
    assert.deepEqual(
      want.machines,
      machines.map(({ name, verdict, row, conditions }) => ({ name, verdict, row, conditions: conditions.map(named) })),
    );
    assert.deepEqual(input, JSON.parse(JSON.stringify(SNAPSHOT)));
  });

  it("is saved as JSON and its timeline as SVG", async () => {
    await timeline();
    await page.page.click("#open-share");
    const save = async (button) => {
      const [download] = await Promise.all([page.page.waitForEvent("download"), page.page.click(button)]);
      return { name: download.suggestedFilename(), text: await readFile(await download.path(), "utf8") };
    };
    const json = await save("#share-json");
    assert.equal(json.name, "evaluation.json");
    assert.deepEqual(JSON.parse(json.text), evaluate(SNAPSHOT));
    const svg = await save("#share-svg");
    assert.equal(svg.name, "timeline.svg");
    assert.match(svg.text, /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
    assert.match(svg.text, /m2: unhealthy from \+3m 1s/);
    const drawn = await page.page.evaluate(
      (text) => new DOMParser().parseFromString(text, "image/svg+xml").querySelector("parsererror") === null,
      svg.text,
    );
    assert.ok(drawn);
    page.assertQuiet();
  });
});
