/** Orders forecasts, one at a time; one that is not wanted any more is stopped. */
import type { Timeline } from "capi-policy/summaries";
import type { ForecastOrder } from "./forecaster";

const DAY = 86_400;
const PATIENCE = 250;

/** Asks for timelines; only the answer to the last question arrives. */
export class Lookahead {
  private worker: Worker | undefined;
  private busy = false;
  private id = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly deliver: (timeline: Timeline) => void,
    private readonly failed: (message: string) => void,
  ) {}

  /** Looks ahead from a snapshot's time; 0 seconds means as far as something changes. */
  ask(text: () => string, start: string, horizon: number): void {
    clearTimeout(this.timer);
    this.id++;
    this.timer = setTimeout(() => this.order(text(), start, horizon), this.busy ? PATIENCE : 0);
  }

  private order(text: string, start: string, horizon: number): void {
    if (this.busy) this.stop();
    const until = new Date(Date.parse(start) + (horizon || DAY) * 1000).toISOString().replace(/\.\d+Z$/, "Z");
    const worker = (this.worker ??= this.start());
    this.busy = true;
    worker.postMessage({ id: this.id, text, until, horizon } satisfies ForecastOrder);
  }

  private start(): Worker {
    const worker = new Worker(new URL("./forecaster.ts", import.meta.url), { type: "module", name: "forecaster" });
    worker.addEventListener("message", ({ data }: MessageEvent<{ id: number; timeline?: Timeline; failure?: string }>) => {
      this.busy = false;
      // Whatever went wrong, the next question gets a worker of its own.
      if (data.failure !== undefined) this.stop();
      if (data.id !== this.id) return;
      if (data.timeline) this.deliver(data.timeline);
      else this.failed(data.failure ?? "no answer");
    });
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      if (worker !== this.worker) return;
      this.stop();
      this.failed(event.message || "its worker could not be loaded");
    });
    return worker;
  }

  private stop(): void {
    this.worker?.terminate();
    this.worker = undefined;
    this.busy = false;
  }
}
