// How long a large paste takes, how much memory, and how long the page is blocked: `node test/measure.mjs [machines]`, on a quiet machine.
import { readFileSync } from "node:fs";
import { stringify } from "yaml";
import { largeFleet } from "./large-fleet.mjs";
import { startPlayground } from "./playground-page.mjs";

const machines = Number(process.argv[2] ?? 5000);
const FORMS = {
  YAML: (list) => stringify(list, { lineWidth: 0, aliasDuplicateObjects: false }),
  JSON: (list) => JSON.stringify(list, null, 4),
};

/** Memory of the process that draws the page, in megabytes: now, and at most. */
async function memory(browser) {
  const { processInfo } = await (await browser.newBrowserCDPSession()).send("SystemInfo.getProcessInfo");
  const sizes = processInfo
    .filter(({ type }) => type === "renderer")
    .map(({ id }) => {
      const status = readFileSync(`/proc/${id}/status`, "utf8");
      return ["VmRSS", "VmHWM"].map((name) => Math.round(Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status)[1]) / 1024));
    });
  return sizes.toSorted(([a], [b]) => b - a)[0];
}

/** Pastes a text over everything and waits for the decision and the overview; milliseconds, and the tasks that blocked the page. */
function pasted(page, text) {
  return page.evaluate(async (text) => {
    const { dataset } = document.body;
    const before = dataset.document;
    const blocked = [];
    let began = Infinity;
    const note = (list) =>
      blocked.push(
        ...list
          .getEntries()
          .filter(({ startTime }) => startTime >= began)
          .map(({ duration }) => Math.round(duration)),
      );
    const observer = new PerformanceObserver(note);
    observer.observe({ type: "longtask" });
    const data = new DataTransfer();
    data.setData("text/plain", text);
    const editor = document.querySelector("#editor").shadowRoot.querySelector(".cm-content");
    began = performance.now();
    const since = (wanted) =>
      new Promise((resolve) => {
        const look = () => (wanted() ? resolve(performance.now() - began) : setTimeout(look, 10));
        setTimeout(look);
      });
    editor.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
    const decision = await since(() => dataset.document !== before && dataset.decided === dataset.document);
    const overview = await since(() => dataset.overview === dataset.document);
    note({ getEntries: () => observer.takeRecords() });
    return { decision, overview, blocked };
  }, text);
}

/** The longest frame while somebody types, in milliseconds. */
async function typed(page) {
  await page.evaluate(() => {
    globalThis.frames = [];
    let last = performance.now();
    const frame = (now) => {
      globalThis.frames.push(now - last);
      last = now;
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
  await page.keyboard.press("Control+Home");
  await page.keyboard.type("# typed into thousands of machines\n", { delay: 30 });
  return page.evaluate(() => Math.round(Math.max(...globalThis.frames.slice(2))));
}

for (const [form, write] of Object.entries(FORMS)) {
  const text = write(largeFleet(machines));
  const playground = await startPlayground();
  const { page } = await playground.open();
  await page.locator("#editor .cm-content").click();
  await page.keyboard.press("Control+a");
  const { decision, overview, blocked } = await pasted(page, text);
  const [afterwards, most] = await memory(playground.browser);
  const frame = await typed(page);
  const seconds = (milliseconds) => `${(milliseconds / 1000).toFixed(1)} s`;
  console.log(
    `${form}, ${(text.length / 1e6).toFixed(1)} MB: first decision ${seconds(decision)}, overview ${seconds(overview)}; ` +
      `tasks over 50 ms: ${blocked.join(", ") || "none"}; longest frame while typing ${frame} ms; memory ${afterwards} MB, at most ${most} MB`,
  );
  await playground.close();
}
