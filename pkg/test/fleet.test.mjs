// 5,000 machines: the page answers, and its main thread is never blocked for more than 50 ms.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, it } from "node:test";
import { picture, startPlayground } from "./playground-page.mjs";

const BLOCKED = 50;
const ATTEMPTS = 5;
const PATIENT = { timeout: 120_000 };
let playground;
let folder;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), "fleet-"));
  playground = await startPlayground();
});
after(async () => {
  await playground?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Tasks of the threads with this name, in milliseconds: how long on the clock, and how much of that was work. */
function tasks({ traceEvents }, thread) {
  const wanted = new Set(
    traceEvents.filter(({ name, args }) => name === "thread_name" && args.name.startsWith(thread)).map(({ pid, tid }) => `${pid}:${tid}`),
  );
  return (
    traceEvents
      .filter(({ ph, name, pid, tid }) => ph === "X" && name.endsWith("RunTask") && wanted.has(`${pid}:${tid}`))
      // A task of which the trace does not tell the work counts as work from beginning to end.
      .map(({ dur, tdur }) => ({ took: dur / 1000, worked: (tdur ?? dur) / 1000 }))
  );
}

const most = (tasks) => Math.max(...tasks.map(({ worked }) => worked));

/** Runs something under a trace. */
async function traced(page, name, act) {
  const path = join(folder, `${name}.json`);
  await playground.browser.startTracing(page, { path, categories: ["toplevel", "devtools.timeline"] });
  let result;
  try {
    result = await act();
  } finally {
    await playground.browser.stopTracing();
  }
  return { result, trace: JSON.parse(readFileSync(path, "utf8")) };
}

/** Everything that one does on the page, and how long its main thread was blocked, as the page's observer sees it. */
async function useThePage(page) {
  const count = (verdict, number) => page.waitForSelector(`.legend [data-verdict=${verdict}][data-count="${number}"]`, PATIENT);
  const slide = (seconds) =>
    page.locator("#slider").evaluate((slider, value) => {
      slider.value = String(value);
      slider.dispatchEvent(new Event("input", { bubbles: true }));
    }, seconds);
  const headline = (text) => page.locator("#headline", { hasText: text }).waitFor(PATIENT);

  await page.click("[data-example=fleet]");
  await count("waiting", 100);
  await page.waitForSelector(".moments li", PATIENT);

  // The overview: every object is there, one is found, and a click leads to it.
  await page.locator('#overview .tone[data-tone="all"]', { hasText: "all 5004" }).waitFor(PATIENT);
  await page.locator("#overview input").fill("workers-04999");
  await page.locator("#overview .object", { hasText: "Machine workers-04999" }).click();
  await page.locator("#headline h2", { hasText: "Machine default/workers-04999" }).waitFor(PATIENT);
  await page.locator("#overview input").fill("");
  await page.selectOption("#subject", "MachineHealthCheck/default/workers");
  await count("waiting", 100);
  await page.waitForSelector(".moments li", PATIENT);

  // Time: across every deadline and back.
  const end = Number(await page.getAttribute("#slider", "max"));
  for (let part = 1; part <= 10; part++) await slide(Math.round((end * part) / 10));
  await count("unhealthy", 100);
  await slide(0);
  await count("waiting", 100);

  // What if: a limit that blocks, one that is none, and back into the document.
  await page.fill("#limit", "1%");
  await headline("Remediation blocked");
  await page.fill("#limit", "few");
  await page.getByRole("button", { name: "Line 8", exact: true }).waitFor(PATIENT);
  await page.fill("#limit", "2%");
  await headline("Remediation allowed");
  await page.click("#what-if-apply");
  await page.waitForSelector("#flips", { state: "hidden", ...PATIENT });

  // Typing, and a look at one machine.
  await page.locator("#editor .cm-content").click();
  await page.keyboard.press("Control+Home");
  await page.keyboard.type("# typed while five thousand machines are on the page\n", { delay: 10 });
  await page.fill("#find-machine", "workers-00049");
  await page.waitForSelector('[data-machine="workers-00049"] .entry', PATIENT);
  await page.waitForFunction(() => document.body.dataset.document === document.body.dataset.decided, null, PATIENT);
  return page.evaluate(() => globalThis.longTasks);
}

/** Opens the fleet in a new page and uses it. */
async function measured(name) {
  const { page } = await playground.open();
  await page.click("#open-gallery");
  await page.waitForSelector("[data-example=fleet]");
  const { result: longTasks, trace } = await traced(page, name, async () => {
    // From here on: the trace has to know every task that the observer sees.
    await page.evaluate(() => {
      globalThis.longTasks = [];
      new PerformanceObserver((list) =>
        globalThis.longTasks.push(...list.getEntries().map(({ duration }) => Math.round(duration))),
      ).observe({
        type: "longtask",
      });
    });
    return useThePage(page);
  });
  await page.screenshot({ path: picture("fleet"), fullPage: true });
  await page.context().close();
  const [main, workers] = [tasks(trace, "CrRendererMain"), tasks(trace, "DedicatedWorker")];
  console.log(
    `long tasks by the clock: ${longTasks.length} (${longTasks.join(", ")} ms), ${main.filter(({ took }) => took > BLOCKED - 1).length} in the trace; most work in one task: page ${most(main).toFixed(1)} ms, workers ${most(workers).toFixed(1)} ms`,
  );
  return { longTasks, main, workers };
}

// The observer counts time on the clock. On a machine that has other things to do, a task that waits for a processor is long
// too; the trace of the same tasks knows how much of it the page worked. Even work takes longer there, and the two clocks may
// not agree on a task that was interrupted, but not in the same task every time: what the page does itself that blocks it, it
// does in every attempt. On a busy machine the observer also counts tasks that the trace has shorter; that the trace is of the
// thread that the observer looks at shows in those that both have.
it("stays responsive with 5,000 machines", async () => {
  for (let attempt = 1; ; attempt++) {
    const { longTasks, main, workers } = await measured(`attempt-${attempt}`);
    const blocking = main.filter(({ worked }) => worked > BLOCKED);
    const waited = main.filter(({ took }) => took > BLOCKED - 1);
    const explained = longTasks.length === 0 || waited.length > 0;
    if (attempt < ATTEMPTS && (blocking.length > 0 || !explained)) continue;
    assert.deepEqual(blocking, []);
    assert.ok(explained, "the trace has tasks that the observer found long");
    // There is work that would block the page, and it is done elsewhere.
    assert.ok(most(workers) > BLOCKED, "evaluating takes time");
    return;
  }
});

it("would notice a page that is blocked", async () => {
  const { page } = await playground.open();
  const { result: longTasks, trace } = await traced(page, "blocked", () =>
    page.evaluate(() => {
      const seen = new Promise((resolve) =>
        new PerformanceObserver((list) => resolve(list.getEntries().length)).observe({ type: "longtask" }),
      );
      setTimeout(() => {
        let sum = 0;
        for (let i = 0; i < 500_000_000; i++) sum = (sum + i) | 0;
        globalThis.sum = sum;
      });
      return seen;
    }),
  );
  assert.ok(longTasks > 0);
  assert.ok(tasks(trace, "CrRendererMain").some(({ worked }) => worked > BLOCKED));
});
