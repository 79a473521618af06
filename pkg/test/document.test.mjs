// The left side: objects in, decisions live, errors on their lines.
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { decide, evaluate, init } from "capi-policy";
import { stringify } from "yaml";
import { cluster, NOW, snapshotFor } from "./fixtures.mjs";
import { picture, PlaygroundPage, startPlayground } from "./playground-page.mjs";

describe("the document", () => {
  let playground;
  let page;
  before(async () => {
    await init();
    playground = await startPlayground();
  });
  beforeEach(async () => {
    page = await playground.open();
  });
  after(() => playground?.close());

  const list = { apiVersion: "v1", items: cluster(), kind: "List", metadata: { resourceVersion: "" } };
  const shown = async () => {
    const { marked: _marked, ...decision } = await page.decision();
    return decision;
  };
  const until = (expected) =>
    page.page.waitForFunction(
      (wanted) =>
        [...document.querySelector("#conditions").shadowRoot.querySelectorAll("[data-condition] .row-id")]
          .map((row) => row.textContent)
          .join() === wanted,
      expected.conditions.map(({ row }) => row).join(),
    );

  for (const [name, text] of [
    ["the output of kubectl get -o yaml", stringify(list)],
    ["the output of kubectl get -o json", JSON.stringify(list, null, 4)],
    [
      "a stream of documents",
      cluster()
        .map((object) => stringify(object))
        .join("---\n"),
    ],
  ]) {
    it(`takes ${name} and evaluates every kind in it`, async () => {
      await page.paste(text);
      await page.settled();
      await page.setStart(NOW);
      const decided = decide(cluster(), { now: NOW });
      for (const kind of ["MachineHealthCheck", "MachineDeployment", "MachineSet", "Machine", "Cluster"]) {
        const option = page.page.locator("#subject option", { hasText: new RegExp(`^${kind} `) }).first();
        await page.page.selectOption("#subject", await option.getAttribute("value"));
        const expected = PlaygroundPage.expected(decided.find((evaluation) => evaluation.kind === kind));
        await page.page.waitForFunction((subject) => document.querySelector("#headline h2").textContent === subject, expected.subject);
        await until(expected);
        assert.deepEqual(await shown(), expected, kind);
      }
      page.assertQuiet();
    });
  }

  it("opens files", async () => {
    const [chooser] = await Promise.all([page.page.waitForEvent("filechooser"), page.page.click("#open-file")]);
    const files = cluster().map((object, i) => ({ name: `${i}.yaml`, mimeType: "text/yaml", buffer: Buffer.from(stringify(object)) }));
    await chooser.setFiles(files);
    await page.page.waitForFunction(() => document.querySelector("#headline h2").textContent === "MachineHealthCheck default/hc");
    await page.setStart(NOW);
    const expected = PlaygroundPage.expected(evaluate(snapshotFor("MachineHealthCheck")));
    await until(expected);
    assert.deepEqual(await shown(), expected);
  });

  it("takes files that are dropped", async () => {
    await page.page.evaluate(
      (texts) => {
        const dataTransfer = new DataTransfer();
        texts.forEach((text, i) => dataTransfer.items.add(new File([text], `${i}.yaml`)));
        const content = document.querySelector("#editor").shadowRoot.querySelector(".cm-content");
        for (const type of ["dragover", "drop"])
          content.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true, composed: true }));
      },
      cluster().map((object) => stringify(object)),
    );
    await page.page.waitForFunction(() => document.querySelector("#headline h2").textContent === "MachineHealthCheck default/hc");
    await page.settled();
    assert.equal(await page.page.locator("#subject option").count(), 7);
  });

  it("shows a broken document on its line and keeps the last good decision", async () => {
    const good = await shown();
    const editor = page.page.locator("#editor .cm-content");
    await editor.click();
    await page.page.keyboard.press("Control+Home");
    for (let i = 0; i < 4; i++) await page.page.keyboard.press("ArrowDown");
    await page.page.keyboard.press("End");
    await page.page.keyboard.type(": x");
    const problem = page.page.locator("#problem");
    await problem.getByRole("button", { name: /^Line 5$/ }).waitFor();
    await page.page.locator("#stale", { hasText: "This is the last decision" }).waitFor();
    assert.deepEqual(await shown(), good);
    const marker = page.page.locator("#editor .cm-gutter-lint .cm-lint-marker-error");
    const line = page.page.locator("#editor .cm-line").nth(4);
    const [at, wanted] = await Promise.all([marker.boundingBox(), line.boundingBox()]);
    assert.ok(at.width > 4 && at.y >= wanted.y - 2 && at.y <= wanted.y + wanted.height, "the marker stands beside the line");
    assert.deepEqual(await page.page.locator("#editor .cm-line.problem").allTextContents(), ["    name: workers: x"]);
    await page.page.screenshot({ path: picture("problem") });

    for (let i = 0; i < 3; i++) await page.page.keyboard.press("Backspace");
    await page.page.locator("#stale").waitFor({ state: "hidden" });
    await page.page.waitForFunction(() => document.querySelector("#problem").textContent === "");
    assert.deepEqual(await shown(), good);
  });

  it("shows what the policy refuses on its line too", async () => {
    const text = (range) =>
      stringify({
        ...snapshotFor("MachineHealthCheck"),
        kind: undefined,
        machineHealthCheck: { ...cluster()[0], spec: { ...cluster()[0].spec, remediation: { triggerIf: { unhealthyInRange: range } } } },
      });
    await page.paste(text("[1-2]"));
    await page.settled();
    const good = await shown();
    const broken = text("[5-3]");
    const wanted = broken.split("\n").findIndex((line) => line.includes("[5-3]")) + 1;
    await page.paste(broken);
    await page.page.getByRole("button", { name: `Line ${wanted}`, exact: true }).waitFor();
    assert.match(await page.page.textContent("#problem"), /unhealthyInRange: expected .*found "\[5-3\]"/);
    assert.deepEqual(await shown(), good);
  });

  it("finds the line in large documents, before and after their lists", async () => {
    const machines = Array.from({ length: 300 }, (_, i) => ({
      ...snapshotFor("MachineHealthCheck").machines[0],
      metadata: { name: `m${i}` },
    }));
    const text = `${"#".repeat(80)}\n${stringify({ now: NOW, machineHealthCheck: cluster()[0], machines, nodes: cluster().slice(-3), profile: "documented" })}`;
    assert.ok(text.length > 100_000, "large enough to be read in parts");
    const broken = (right, wrong) => ({
      text: text.replace(`${right}\n`, `${wrong}\n`),
      line: text.split("\n").findIndex((line) => line.endsWith(right)) + 1,
    });
    for (const { text, line } of [
      broken("kind: MachineHealthCheck", "kind: Machine: HealthCheck"),
      broken("name: m250", "name: m250: x"),
      broken("name: m250", "name: 5"),
      broken("unhealthyLessThanOrEqualTo: 40%", "unhealthyLessThanOrEqualTo: many"),
      broken("profile: documented", "profile: docu: mented"),
    ]) {
      await page.paste(text);
      await page.page.getByRole("button", { name: `Line ${line}`, exact: true }).waitFor();
    }
  });

  it("says what is missing from a document that holds nothing to evaluate", async () => {
    await page.paste("apiVersion: v1\nkind: Pod\nmetadata: { name: p }\n");
    await page.page.waitForFunction(() => /None of the 1 objects can be evaluated/.test(document.querySelector("#problem").textContent));
  });

  it("decides while one types", async () => {
    const {
      machineHealthCheck: { status: _status, ...machineHealthCheck },
      ...others
    } = snapshotFor("MachineHealthCheck");
    const text = stringify({ ...others, machineHealthCheck }).trimEnd();
    assert.ok(text.endsWith("unhealthyLessThanOrEqualTo: 40%"));
    await page.paste(text);
    await page.page.locator("#headline", { hasText: "Remediation allowed" }).waitFor();
    await page.page.keyboard.press("Control+End");
    for (let i = 0; i < 3; i++) await page.page.keyboard.press("Backspace");
    await page.page.keyboard.type("0");
    await page.page.locator("#headline", { hasText: "Remediation blocked" }).waitFor();
  });
});
