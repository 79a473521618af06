// The built playground in a browser, served below a sub-path, watched for requests and errors.
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { launch } from "./chromium.mjs";
import { serve } from "../playground/serve.mjs";

const FOLDER = fileURLToPath(new URL("../playground/dist", import.meta.url));

const PICTURES = fileURLToPath(new URL("../../target/screenshots", import.meta.url));

/** Where the picture of a view goes. */
export function picture(view) {
  mkdirSync(PICTURES, { recursive: true });
  return `${PICTURES}/${view}.png`;
}

/** A server and a browser; close both with `close()`. */
export async function startPlayground() {
  const [server, browser] = await Promise.all([serve(FOLDER, "/some/where/"), launch()]);
  return {
    address: server.address,
    browser,
    close: async () => {
      await browser.close();
      await server.close();
    },
    /** A page in a profile of its own that has made its first decision. */
    open: async ({ fragment = "", ...options } = {}) => {
      const context = await browser.newContext({ viewport: { width: 1400, height: 1000 }, ...options });
      const page = new PlaygroundPage(await context.newPage(), server.address);
      await page.goto(fragment);
      return page;
    },
  };
}

export class PlaygroundPage {
  requests = [];
  complaints = [];

  constructor(page, address) {
    this.page = page;
    this.address = address;
    page.on("request", (request) => this.requests.push(request.url()));
    page.on("console", (message) => ["error", "warning"].includes(message.type()) && this.complaints.push(message.text()));
    page.on("pageerror", (error) => this.complaints.push(String(error)));
  }

  async goto(fragment) {
    await this.page.goto(this.address + fragment);
    await this.settled();
  }

  /** Waits until the document in the editor is decided. */
  async settled() {
    try {
      await this.page.waitForFunction(() => {
        const { document: shown, decided } = document.body.dataset;
        return shown !== undefined && shown === decided;
      });
    } catch (failure) {
      const state = await this.page.evaluate(() => ({
        ...document.body.dataset,
        notice: document.querySelector("#notice").textContent,
        problem: document.querySelector("#problem").textContent,
      }));
      const workers = this.page.workers().map((worker) => worker.url());
      throw new Error(`the page does not settle: ${JSON.stringify({ ...state, workers, complaints: this.complaints })}`, {
        cause: failure,
      });
    }
  }

  /** Waits until the overview is about the document in the editor. */
  overviewed() {
    return this.page.waitForFunction(() => document.body.dataset.overview === document.body.dataset.document);
  }

  /** Opens an example by its id, from a gallery that has been open before. */
  async openExample(id) {
    await this.page.evaluate(async (id) => {
      const { dataset } = document.body;
      const before = dataset.document;
      document.querySelector(`[data-example="${CSS.escape(id)}"]`).click();
      await new Promise((resolve) => {
        const settled = () => dataset.document !== before && dataset.decided === dataset.document && (observer.disconnect(), resolve());
        const observer = new MutationObserver(settled);
        observer.observe(document.body, { attributes: true, subtree: true, childList: true });
      });
    }, id);
  }

  /** Replaces the document as a person would: by pasting over it. */
  async paste(text) {
    await this.page.locator("#editor .cm-content").click();
    await this.page.keyboard.press("Control+a");
    await this.page.evaluate((text) => {
      const data = new DataTransfer();
      data.setData("text/plain", text);
      const content = document.querySelector("#editor").shadowRoot.querySelector(".cm-content");
      content.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
    }, text);
  }

  /** Sets the time of the evaluation. */
  async setStart(start) {
    await this.page.fill("#start", start);
    await this.page.press("#start", "Enter");
    await this.page.locator("#headline", { hasText: `at ${start.replace("T", " ").replace("Z", "")}` }).waitFor();
  }

  /** Moves the slider, as a drag would. */
  slide(seconds) {
    return this.page.locator("#slider").evaluate((slider, value) => {
      slider.value = String(value);
      slider.dispatchEvent(new Event("input", { bubbles: true }));
    }, seconds);
  }

  /** What the page shows of the decision. */
  decision() {
    return this.page.evaluate(() => {
      const text = (element, selector) => element.querySelector(selector)?.textContent ?? "";
      const inElement = (host, selector) => [...host.shadowRoot.querySelectorAll(selector)];
      const tables = [...document.querySelectorAll("capi-conditions")].flatMap((host) => inElement(host, "capi-explanation"));
      return {
        subject: document.querySelector("#headline h2").textContent,
        conditions: inElement(document.querySelector("#conditions"), "[data-condition]").map((entry) => ({
          type: text(entry, ".type"),
          status: text(entry, ".status"),
          reason: text(entry, ".reason"),
          message: text(entry, ".message"),
          row: text(entry, ".row-id"),
        })),
        marked: tables.flatMap((host) => inElement(host, "tr[aria-current=true]")).map(({ dataset }) => dataset.row),
        machines: document.querySelector("#health").hidden
          ? []
          : [...document.querySelectorAll("#health .cells [data-name]")].map(({ dataset }) => ({
              name: dataset.name,
              verdict: dataset.verdict,
            })),
      };
    });
  }

  /** The same, of an evaluation. */
  static expected({ kind, namespace, name, conditions, machines = [] }) {
    return {
      subject: `${kind} ${namespace ? `${namespace}/${name}` : name || "(no name)"}`,
      conditions: conditions.map(({ type, status, reason, message, row }) => ({ type, status, reason, message, row })),
      machines: machines.map(({ name, verdict }) => ({ name, verdict })),
    };
  }

  /** Nothing was asked of another origin, and nothing went wrong. */
  assertQuiet() {
    const { origin } = new URL(this.address);
    assert.deepEqual(
      this.requests.filter((url) => /^https?:/.test(url) && new URL(url).origin !== origin),
      [],
    );
    assert.deepEqual(this.complaints, []);
  }
}
