// Every example of the gallery shows the decision that the component gives, and the row that decided.
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { catalog, init } from "capi-policy";
import { loadComponent } from "./component.mjs";
import { PlaygroundPage, startPlayground } from "./playground-page.mjs";
import { readVectors } from "./vectors.mjs";

describe("the gallery", () => {
  let playground;
  let page;
  let listed;
  before(async () => {
    playground = await startPlayground();
    page = await playground.open();
    await page.page.click("#open-gallery");
    await page.page.waitForSelector("[data-example] .row-id");
    listed = await page.page.$$eval("[data-example]", (items) =>
      items.map((item) => ({ id: item.dataset.example, row: item.querySelector(".row-id")?.textContent })),
    );
    await page.page.keyboard.press("Escape");
  });
  after(() => playground?.close());

  it("has an example for every row of every table, and stories", async () => {
    await init();
    const shown = new Set(listed.map(({ row }) => row));
    const missing = catalog()
      .tables.flatMap(({ rows }) => rows.map(({ id }) => id))
      .filter((id) => !shown.has(id));
    assert.deepEqual(missing, []);
    assert.ok(listed.filter(({ row }) => row === undefined).length >= 5);
  });

  it("shows what the component decides in every one", async () => {
    const component = loadComponent();
    const vectors = new Map(readVectors().map((vector) => [vector.id, vector]));
    for (const { id, row } of listed) {
      if (id === "fleet") continue;
      const evaluation = JSON.parse(component(vectors.get(id)?.snapshot ?? assert.fail(`no vector ${id}`)).evaluation);
      await page.openExample(id);
      const { marked, ...decision } = await page.decision();
      assert.deepEqual(decision, PlaygroundPage.expected(evaluation), id);
      if (row !== undefined) {
        assert.ok(marked.includes(row), `${id}: ${row} is not marked, ${marked} is`);
      }
    }
    page.assertQuiet();
  });
});
