// What somebody pastes: what was not read is said, and every object is in the overview, problems first.
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { stringify } from "yaml";
import { cluster, EXAMPLE_NOW, exampleFleet, isOfReadme, NOW } from "./fixtures.mjs";
import { picture, startPlayground } from "./playground-page.mjs";

const list = (items) => JSON.stringify({ apiVersion: "v1", kind: "List", items }, null, 4);

describe("what is pasted", () => {
  let playground;
  let page;
  before(async () => {
    playground = await startPlayground();
  });
  beforeEach(async () => {
    page = await playground.open({ permissions: ["clipboard-read", "clipboard-write"] });
  });
  after(() => playground?.close());

  const paste = async (text) => {
    await page.paste(text);
    await page.settled();
    await page.setStart(EXAMPLE_NOW);
    await page.overviewed();
  };
  const unread = () => page.page.locator("#unread");
  const overview = () => page.page.locator("#overview .object");

  it("names what was not read, with the commands that add it", async () => {
    assert.equal(await unread().isVisible(), false, "a snapshot is complete");
    await paste(list(exampleFleet().filter(isOfReadme)));
    await unread().getByText("Nodes of prod/blue").waitFor();
    const commands = await unread().locator("code").allTextContents();
    assert.ok(
      commands.some((command) => /^kubectl get .*dockermachines\.infrastructure\.cluster\.x-k8s\.io.* -A -o json$/.test(command)),
      commands.join("\n"),
    );
    assert.ok(commands.includes("kubectl get nodes -o json --kubeconfig <(clusterctl get kubeconfig blue -n prod)"), commands.join("\n"));
    await page.page.screenshot({ path: picture("unread"), fullPage: true });

    // Their output is added from the clipboard.
    const missing = list(exampleFleet().filter((object) => !isOfReadme(object)));
    await page.page.evaluate((text) => navigator.clipboard.writeText(text), missing);
    await page.page.click("#unread-add");
    await page.settled();
    await unread().getByText("Nodes of").waitFor({ state: "detached" });
    page.assertQuiet();
  });

  it("takes a word for it that there are no more, and passes it on in links", async () => {
    await paste(list(exampleFleet().filter(({ kind }) => kind !== "MachineHealthCheck")));
    await unread().getByText("Not read: MachineHealthChecks").waitFor();
    await page.page.click("#unread-none");
    await unread().waitFor({ state: "hidden" });
    await page.page.click("#open-share");
    await page.page.click("#share-link");
    await page.page.locator("#share-said", { hasText: "copied" }).waitFor();
    const link = await page.page.evaluate(() => navigator.clipboard.readText());
    const other = await playground.open({ fragment: link.slice(playground.address.length) });
    await other.overviewed();
    assert.equal(await other.page.isVisible("#unread"), false);
  });

  it("names objects of an older version, and does not take them for healthy", async () => {
    const older = exampleFleet().map((object) =>
      object.kind === "Machine" ? { ...object, apiVersion: "cluster.x-k8s.io/v1beta1", status: { phase: "Running" } } : object,
    );
    await paste(list(older));
    await unread()
      .getByText(/\d+ Machines of v1beta1/)
      .waitFor();
    assert.ok((await unread().locator("code").allTextContents()).includes("kubectl get machines.v1beta2.cluster.x-k8s.io -A -o json"));
    await page.page.locator("#overview select").selectOption("Machine");
    const words = await page.page.locator("#overview .object .words").allTextContents();
    assert.deepEqual([...new Set(words)], ["Not read: v1beta1"]);
    await overview().first().click();
    await page.page.locator("#headline", { hasText: "Not read: v1beta1" }).waitFor();
  });

  it("shows every object, problems first; a click leads to it", async () => {
    await paste(stringify({ apiVersion: "v1", kind: "List", items: exampleFleet() }));
    const tones = await overview().evaluateAll((items) => items.map(({ dataset }) => dataset.tone));
    const order = ["bad", "doubt", "progress", "good", "none"];
    assert.equal(tones[0], "bad");
    assert.deepEqual(
      tones,
      tones.toSorted((a, b) => order.indexOf(a) - order.indexOf(b)),
    );
    await page.page.screenshot({ path: picture("overview"), fullPage: true });
    const name = await overview().nth(1).locator(".name").textContent();
    await overview().nth(1).click();
    const [kind, object] = name.split(" ");
    await page.page.locator("#headline h2", { hasText: `${kind} prod/${object}` }).waitFor();
    assert.equal(await page.page.inputValue("#subject"), `${kind}/prod/${object}`);
    page.assertQuiet();
  });

  it("shows every object at the moment of the slider", async () => {
    await page.paste(list(cluster()));
    await page.settled();
    await page.setStart(NOW);
    // A Node has been down for two of five minutes; then its machine is remediated.
    const check = (tone) => page.page.locator(`#overview .object[data-tone="${tone}"]`, { hasText: "MachineHealthCheck hc" }).waitFor();
    await check("good");
    await page.slide(240);
    await check("progress");
    await page.slide(0);
    await check("good");
    page.assertQuiet();
  });

  it("goes on without an object that the policy refuses", async () => {
    const broken = exampleFleet();
    broken.find(({ kind }) => kind === "MachineSet").spec.replicas = "many";
    const text = stringify({ apiVersion: "v1", kind: "List", items: broken });
    await paste(text);
    const line = text.split("\n").findIndex((each) => each.includes("replicas: many")) + 1;
    await page.page.getByRole("button", { name: `Line ${line}`, exact: true }).waitFor();
    assert.match(await page.page.textContent("#problem"), /replicas: expected .*decided without it/);
    assert.equal(await page.page.isVisible("#stale"), false);
    assert.ok((await overview().count()) > 10);
  });

  it("speaks by polarity: what is wrong, in progress, or fine", async () => {
    await paste(stringify({ apiVersion: "v1", kind: "List", items: exampleFleet() }));
    const choose = (id) => page.page.selectOption("#subject", id);
    await choose("MachineHealthCheck/prod/blue-gpu");
    await page.page.locator("#headline .big.bad", { hasText: "Remediation blocked" }).waitFor();
    await choose("MachineDeployment/prod/blue-old");
    await page.page.locator("#headline .big", { hasText: "In progress: " }).waitFor();
  });
});
