// The page gives the command line's answer for every object of the example fleet, whatever part of the fleet it is given and in which form.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { parseAllDocuments, stringify } from "yaml";
import { PlaygroundPage, startPlayground } from "./playground-page.mjs";

const COMMAND = process.env.CAPI_POLICY ?? new URL("../../target/tested/capi-policy", import.meta.url).pathname;
const ARTIFACT = new URL("../../dist/capi_policy.wasm", import.meta.url).pathname;
const FLEET = readFileSync(new URL("../../examples/fleet.yaml", import.meta.url), "utf8");
const NOW = /--now (\S+Z)/.exec(FLEET)?.[1] ?? "2026-01-15T12:30:00Z";
const README = ["Cluster", "KubeadmControlPlane", "MachineDeployment", "MachineSet", "Machine", "MachineHealthCheck"];

const objects = parseAllDocuments(FLEET)
  .map((document) => document.toJS())
  .flatMap((object) => object?.items ?? [object])
  .filter(Boolean);
const isInfrastructure = ({ apiVersion }) => apiVersion.startsWith("infrastructure.");
/** The same again in another namespace, where one machine is missing and every uid is another. */
const elsewhere = objects
  .filter(({ kind }) => kind !== "Node")
  .map((object) => JSON.parse(JSON.stringify(object).replaceAll(/"uid":"([^"]*)"/g, '"uid":"$1-b"')))
  .map((object) => ({ ...object, metadata: { ...object.metadata, namespace: "elsewhere" } }));
elsewhere.splice(
  elsewhere.findIndex(({ kind }) => kind === "Machine"),
  1,
);

const list = (items) => ({ apiVersion: "v1", kind: "List", items });
const stream = (items) => items.map((object) => stringify(object)).join("---\n");
const VARIANTS = {
  "complete, as a stream of YAML documents": stream(objects),
  "complete, as a YAML List": stringify(list(objects)),
  "complete, as a JSON List": JSON.stringify(list(objects), null, 4),
  "without Nodes": stream(objects.filter(({ kind }) => kind !== "Node")),
  "without infrastructure": stream(objects.filter((object) => !isInfrastructure(object))),
  "with the kinds of the README's command": stream(objects.filter(({ kind }) => README.includes(kind))),
  "two clusters of one name in two namespaces": stream([...objects, ...elsewhere]),
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

  for (const [name, text] of Object.entries(VARIANTS)) {
    it(name, async () => {
      const file = join(folder, "fleet.yaml");
      writeFileSync(file, text);
      const answer = execFileSync(COMMAND, ["evaluate", "-f", file, "--now", NOW, "-o", "json", "--policy", ARTIFACT], {
        encoding: "utf8",
        maxBuffer: 1 << 28,
      });
      const evaluations = JSON.parse(answer);
      assert.ok(evaluations.length >= 15, `${evaluations.length} evaluations`);

      await page.paste(text);
      await page.settled();
      await page.setStart(NOW);
      const offered = await page.page.$$eval("#subject option", (options) => options.map(({ value }) => value));
      const id = ({ kind, namespace, name }) => `${kind}/${namespace}/${name}`;
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
});
