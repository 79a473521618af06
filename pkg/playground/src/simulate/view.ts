/** "Simulate": a scenario on the left, on the right what becomes of its days. */
import scenarios from "virtual:scenarios";
import { enter, place } from "../address";
import { announce } from "../announce";
import { Editor } from "../editor/editor";
import { el } from "../element";
import { noLinks } from "../features";
import { showNotice } from "../views/notice";
import { pack, unpack } from "../worker/pack";
import { answers, events, sentence } from "./answers";
import type { FromSimulator, ToSimulator } from "./messages";

export class SimulateView {
  private readonly choice = el("select", { id: "scenario" });
  private readonly note = el("p", { id: "scenario-note", class: "muted" });
  private readonly given = el("p", { id: "scenario-objects", class: "muted", hidden: true });
  private readonly seeds = el("input", { id: "seeds", type: "text", value: "1", spellcheck: "false", autocomplete: "off" });
  private readonly compare = el("select", { id: "compare" });
  private readonly field = el("input", {
    id: "compare-field",
    type: "text",
    "aria-label": "Field and values to compare",
    placeholder: "healthChecks.workers.nodeStartupTimeout=10m,20m",
    spellcheck: "false",
    autocomplete: "off",
    hidden: true,
  });
  private readonly start = el("button", { type: "button", id: "run", class: "primary", click: () => this.run() }, "Run");
  private readonly stop = el("button", { type: "button", id: "cancel", hidden: true, click: () => this.cancel() }, "Cancel");
  private readonly progress = el("progress", { id: "run-progress", "aria-label": "Days simulated", hidden: true });
  private readonly state = el("p", { id: "run-state", class: "muted" });
  private readonly problem = el("p", { id: "scenario-problem", class: "problem", role: "alert" });
  private readonly results = el("section", { id: "results", class: "panel", "aria-label": "Results", hidden: true });
  private readonly editor: Editor;
  private worker: Worker | undefined;
  private objects: unknown[] | undefined;
  private picture = "";
  private own = false;

  constructor(root: HTMLElement) {
    const host = el("div", { id: "scenario-editor", class: "editor" });
    this.choice.append(
      ...scenarios.map(({ id, title }) => el("option", { value: id }, title)),
      el("option", { value: "own", disabled: true }, "your own"),
    );
    this.compare.append(
      el("option", { value: "none" }, "nothing"),
      el("option", { value: "own" }, "the scenario's variants"),
      el("option", { value: "field" }, "values of a field"),
    );
    const label = (of: string, text: string): HTMLElement => el("label", { for: of }, text);
    root.append(
      el(
        "section",
        { class: "side", "aria-label": "Scenario" },
        el("div", { class: "bar" }, label("scenario", "Scenario"), this.choice),
        this.note,
        this.given,
        host,
        el("div", { class: "bar" }, label("seeds", "Seeds"), this.seeds, label("compare", "Compare"), this.compare),
        this.field,
        el("div", { class: "bar" }, this.start, this.stop, this.progress),
        this.problem,
      ),
      el("section", { class: "side", "aria-label": "Simulation" }, this.state, this.results),
    );
    this.editor = new Editor(host, { changed: () => this.edited(), pasted: (text) => this.pasted(text) }, "Scenario");
    this.choice.addEventListener("change", () => {
      enter({ type: "simulate", id: this.choice.value });
      this.open(this.choice.value);
    });
    this.compare.addEventListener("change", () => (this.field.hidden = this.compare.value !== "field"));
  }

  /** Opens what the address names. */
  async restore(): Promise<void> {
    const to = place();
    if (to?.type === "simulate" && to.id !== "own") this.open(to.id);
    if (to?.type !== "scenario") return;
    try {
      const missing = noLinks();
      if (missing !== undefined) throw new Error(missing);
      this.openShared(await unpack(to.packed));
    } catch {
      showNotice("The link is broken: it holds no scenario.");
      if (this.editor.text() === "") this.open("zone-outage");
    }
  }

  /** Ends a run; what was shown before stays. */
  cancel(): void {
    if (this.stop.hidden) return;
    this.end();
    this.say("Cancelled.");
  }

  private open(id: string): void {
    const scenario = scenarios.find((each) => each.id === id) ?? scenarios[0];
    if (!scenario) return;
    this.show(scenario.text, undefined);
    this.choice.value = scenario.id;
    this.note.textContent = scenario.note;
    this.own = false;
  }

  private openShared(shared: unknown): void {
    const { scenario, seeds, compare, objects } = shared as Record<string, unknown>;
    if (typeof scenario !== "string") throw new Error("no scenario");
    this.show(scenario, Array.isArray(objects) ? objects : undefined);
    this.becomeOwn();
    this.seeds.value = typeof seeds === "string" ? seeds : "1";
    this.compare.value = typeof compare !== "string" ? "none" : compare === "" ? "own" : "field";
    this.field.value = typeof compare === "string" ? compare : "";
    this.field.hidden = this.compare.value !== "field";
  }

  private show(text: string, objects: unknown[] | undefined): void {
    this.end();
    this.editor.receive(text, true, true, false);
    this.objects = objects;
    this.given.hidden = objects === undefined;
    this.given.textContent = `Starts from the ${objects?.length ?? 0} objects of the link.`;
    this.problem.textContent = "";
    this.results.hidden = true;
    this.say("Press Run: the days are simulated in this page, in virtual time.");
  }

  private pasted(text: string): void {
    this.show(text, undefined);
    this.edited();
  }

  private edited(): void {
    if (this.own) return;
    enter({ type: "simulate", id: "own" }, "replace");
    this.becomeOwn();
  }

  private becomeOwn(): void {
    this.own = true;
    this.choice.value = "own";
    this.note.textContent = "";
  }

  private comparison(): string | undefined {
    return this.compare.value === "none" ? undefined : this.compare.value === "own" ? "" : this.field.value;
  }

  private run(): void {
    this.end();
    this.problem.textContent = "";
    this.start.disabled = true;
    this.stop.hidden = this.progress.hidden = false;
    this.progress.removeAttribute("value");
    this.say("Running …");
    this.send({
      type: "run",
      text: this.editor.text(),
      seeds: this.seeds.value,
      compare: this.comparison(),
      objects: this.objects && JSON.stringify(this.objects),
    });
  }

  private send(message: ToSimulator): void {
    this.worker ??= this.started();
    this.worker.postMessage(message);
  }

  private started(): Worker {
    const worker = new Worker(new URL("./simulator.ts", import.meta.url), { type: "module", name: "simulator" });
    worker.addEventListener("message", ({ data }: MessageEvent<FromSimulator>) => worker === this.worker && this.received(data));
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      if (worker === this.worker) this.received({ type: "failed", message: event.message || "it could not be loaded", trap: true });
    });
    return worker;
  }

  private received(message: FromSimulator): void {
    switch (message.type) {
      case "progress":
        this.progress.max = message.pieces;
        this.progress.value = message.done;
        this.say(`${message.done} of ${message.pieces} days`);
        break;
      case "failed":
        if (message.trap) this.end();
        this.rest();
        this.say("");
        this.problem.textContent = message.trap ? `The simulator stopped: ${message.message}` : message.message;
        break;
      case "json":
        save("simulation.json", "application/json", message.text);
        break;
      case "result": {
        this.rest();
        this.say("");
        this.picture = message.svg;
        const drawing = new DOMParser().parseFromString(message.svg, "image/svg+xml").documentElement;
        this.results.hidden = false;
        this.results.replaceChildren(
          ...answers(message.view),
          el("div", { class: "scroll picture", tabindex: 0, role: "region", "aria-label": "Timeline" }, drawing),
          events(message.view) ?? "",
          el(
            "div",
            { class: "bar" },
            el("button", { type: "button", id: "scenario-link", click: () => void this.link() }, "Copy a link"),
            el("button", { type: "button", id: "save-json", click: () => this.send({ type: "json" }) }, "Save JSON"),
            el("button", { type: "button", click: () => save("simulation.svg", "image/svg+xml", this.picture) }, "Save SVG"),
          ),
        );
        announce(sentence(message.view));
      }
    }
  }

  /** The address becomes one that opens this scenario, and is copied where the browser lets the page. */
  private async link(): Promise<void> {
    try {
      const missing = noLinks();
      if (missing !== undefined) throw new Error(missing);
      const packed = await pack({
        scenario: this.editor.text(),
        seeds: this.seeds.value,
        compare: this.comparison(),
        objects: this.objects,
      });
      enter({ type: "scenario", packed });
      const copied = await navigator.clipboard.writeText(location.href).then(
        () => true,
        () => false,
      );
      this.say(copied ? "The link is copied." : "The link is in the address bar.");
    } catch (failure) {
      this.say(failure instanceof Error ? failure.message : String(failure));
    }
  }

  private end(): void {
    if (!this.stop.hidden) {
      this.worker?.terminate();
      this.worker = undefined;
    }
    this.rest();
  }

  private rest(): void {
    this.start.disabled = false;
    this.stop.hidden = this.progress.hidden = true;
  }

  private say(text: string): void {
    this.state.textContent = text;
    this.state.hidden = text === "";
  }
}

function save(name: string, type: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  el("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
