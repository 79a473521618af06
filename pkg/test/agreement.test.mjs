// The page gives the command line's answer for every object of the example fleet, whatever part of the fleet it is given and in which form.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { stringify } from "yaml";
import { exampleFleet, EXAMPLE_NOW, isOfReadme } from "./fixtures.mjs";
import { PlaygroundPage, startPlayground } from "./playground-page.mjs";

const COMMAND = fileURLToPath(new URL("../../target/tested/capi-policy", import.meta.url));
const ARTIFACT = fileURLToPath(new URL("../../dist/capi_policy.wasm", import.meta.url));

const objects = exampleFleet();
const isNode = ({ kind }) => kind === "Node";
const isInfrastructure = ({ apiVersion }) => apiVersion.startsWith("infrastructure.");

/** The same again in another namespace: other uids, and one machine less, so that what leaks from one to the other shows. */
function elsewhere() {
  const text = JSON.stringify(objects)
    .replaceAll(/"uid":"([^"]*)"/g, '"uid":"$1-b"')
    .replaceAll('"namespace":"prod"', '"namespace":"elsewhere"')
    .replaceAll('"cluster.x-k8s.io/cluster-namespace":"prod"', '"cluster.x-k8s.io/cluster-namespace":"elsewhere"');
  const copies = JSON.parse(text);
  copies.splice(
    copies.findIndex(({ kind }) => kind === "Machine"),
    1,
  );
  return copies;
}

const list = (items) => ({ apiVersion: "v1", kind: "List", items });
const stream = (items) => items.map((object) => stringify(object)).join("---\n");
const VARIANTS = {
  "complete, as a stream of YAML documents": stream(objects),
  "complete, as a YAML List": stringify(list(objects)),
  "complete, as a JSON List": JSON.stringify(list(objects), null, 4),
  "complete, as a stream of two JSON Lists": [objects.filter(isNode), objects.filter((each) => !isNode(each))]
    .map((items) => JSON.stringify(list(items)))
    .join("\n---\n"),
  "without Nodes": stream(objects.filter((each) => !isNode(each))),
  "without infrastructure": stringify(list(objects.filter((each) => !isInfrastructure(each)))),
  "with the kinds of the README's command": JSON.stringify(list(objects.filter(isOfReadme)), null, 4),
  "two clusters of one name in two namespaces": stream([...objects, ...elsewhere()]),
};

describe("the page and the command line agree", () => {
  let playground;
  let page;
  let folder;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "agreement-"));
    playground = await startPlayground();
    page = await playground.open();
  });
  after(async () => {
    await playground?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const answers = (text) => {
    const file = join(folder, "fleet.yaml");
    writeFileSync(file, text);
    const words = ["evaluate", "-f", file, "--now", EXAMPLE_NOW, "-o", "json", "--policy", ARTIFACT];
    return JSON.parse(execFileSync(COMMAND, words, { encoding: "utf8", maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "pipe"] }));
  };
  const id = ({ kind, namespace = "", name }) => `${kind}/${namespace}/${name}`;

  for (const [name, text] of Object.entries(VARIANTS)) {
    it(name, async () => {
      const evaluations = answers(text);
      assert.ok(evaluations.length >= 15, `${evaluations.length} evaluations`);
      await page.paste(text);
      await page.settled();
      await page.setStart(EXAMPLE_NOW);
      const offered = await page.page.$$eval("#subject option", (options) => options.map(({ value }) => value));
      assert.deepEqual(offered.toSorted(), evaluations.map(id).toSorted());
      for (const evaluation of evaluations) {
        const expected = PlaygroundPage.expected(evaluation);
        await page.page.selectOption("#subject", id(evaluation));
        await page.page.waitForFunction((subject) => document.querySelector("#headline h2").textContent === subject, expected.subject);
        const { marked: _marked, ...shown } = await page.decision();
        assert.deepEqual(shown, expected, id(evaluation));
      }
      page.assertQuiet();
    });
  }

  // Infrastructure that was not read is known from the conditions that Cluster API stored; Nodes are not.
  it("on something that depends on what was read", () => {
    const decided = (name) => JSON.stringify(answers(VARIANTS[name]));
    assert.notEqual(decided("without Nodes"), decided("complete, as a JSON List"));
  });
});
