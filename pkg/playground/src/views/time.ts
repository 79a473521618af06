/** Time as something to play with: a slider, a play button, the moments to come and their picture. */
import type { Timeline } from "capi-policy/summaries";
import { duration, later, readable } from "../../../src/elements/moments";
import { byId, el } from "../element";

const TICK = 100;
const PLAYING = 12_000;
const HORIZONS: [number, string][] = [
  [0, "as far as something changes"],
  [3600, "1 hour"],
  [21_600, "6 hours"],
  [86_400, "1 day"],
  [604_800, "7 days"],
];

/** Where the start comes from. */
const STARTS = { document: "as the document says", opening: "when it was opened", choice: "set here" } as const;

/** What the time controls ask for. */
export interface TimeEvents {
  moved: (offset: number) => void;
  started: (start: string | undefined) => void;
  horizon: (seconds: number) => void;
}

export class TimeView {
  private timeline: Timeline | undefined;
  private playing: ReturnType<typeof setInterval> | undefined;
  private readonly slider = el("input", {
    id: "slider",
    type: "range",
    min: 0,
    max: 600,
    step: 1,
    value: 0,
    "aria-label": "Time after the start, in seconds",
  });
  private readonly play = el("button", { type: "button", id: "play", "aria-pressed": "false" }, "▶ Play");
  private readonly next = el("button", { type: "button", id: "next-change" }, "Next change");
  private readonly offset = el("output", { id: "offset", for: "slider" }, "+0s");
  private readonly start = el("input", { id: "start", type: "text", spellcheck: "false", autocomplete: "off" });
  private readonly startOf = el("span", { id: "start-of", class: "muted" });
  private readonly horizon = el(
    "select",
    { id: "horizon" },
    ...HORIZONS.map(([seconds, label]) => el("option", { value: seconds }, label)),
  );
  private readonly picture = el("capi-timeline");
  private readonly failure = el("p", { class: "bad", hidden: true });

  constructor(private readonly events: TimeEvents) {
    byId("time").append(
      el("h3", { id: "time-title" }, "Time"),
      el("div", { class: "bar" }, this.play, this.slider, this.offset, this.next),
      el(
        "div",
        { class: "bar small" },
        el("label", { for: "start" }, "Now is"),
        this.start,
        this.startOf,
        el(
          "button",
          { type: "button", id: "start-now", class: "quiet", click: () => this.events.started(later(new Date().toISOString(), 0)) },
          "Set to this moment",
        ),
        el("label", { for: "horizon" }, "Look ahead"),
        this.horizon,
      ),
      this.failure,
      this.picture,
    );
    this.slider.addEventListener("input", () => this.move(Number(this.slider.value)));
    this.play.addEventListener("click", () => (this.playing ? this.stop() : this.run()));
    this.next.addEventListener("click", () => this.move(this.nextMoment() ?? 0));
    this.start.addEventListener("change", () =>
      this.events.started(this.start.value.trim() === "" ? undefined : this.start.value.trim().replace(" ", "T").replace(/(\d)$/, "$1Z")),
    );
    this.horizon.addEventListener("change", () => this.events.horizon(Number(this.horizon.value)));
    this.picture.addEventListener("capi-seek", (event) => this.move((event as CustomEvent<{ offset: number }>).detail.offset));
  }

  /** Seconds after the start. */
  get at(): number {
    return Number(this.slider.value);
  }

  /** The picture for a file, or undefined when there is none yet. */
  drawing(): SVGSVGElement | undefined {
    return this.picture.drawing();
  }

  setStart(start: string, of: keyof typeof STARTS): void {
    this.startOf.textContent = STARTS[of];
    if (document.activeElement !== this.start) this.start.value = readable(start);
  }

  /** Sets the slider without asking for anything. */
  restore(offset: number, horizon: number): void {
    this.stop();
    this.slider.max = String(Math.max(Number(this.slider.max), offset));
    this.slider.value = String(offset);
    this.horizon.value = String(horizon);
    this.showOffset();
  }

  show(timeline: Timeline): void {
    this.timeline = this.picture.timeline = timeline;
    this.failure.hidden = true;
    this.slider.max = String(Math.max(timeline.end, this.at));
    this.showOffset();
  }

  /** Says that the future can't be told now. */
  fail(message: string): void {
    this.timeline = this.picture.timeline = undefined;
    this.failure.hidden = false;
    this.failure.textContent = `Looking ahead failed: ${message}. The next change tries again.`;
    this.showOffset();
  }

  private move(offset: number): void {
    this.slider.value = String(offset);
    this.showOffset();
    this.events.moved(this.at);
  }

  private showOffset(): void {
    this.offset.value = `+${duration(this.at)}`;
    const moment = this.timeline ? readable(later(this.timeline.start, this.at)) : "";
    this.slider.setAttribute("aria-valuetext", `${duration(this.at)} after the start${moment && `, ${moment}`}`);
    this.picture.cursor = this.at;
    this.next.disabled = this.nextMoment() === undefined;
  }

  private nextMoment(): number | undefined {
    return this.timeline?.moments.find(({ at }) => at > this.at)?.at;
  }

  private run(): void {
    if (this.at >= Number(this.slider.max)) this.move(0);
    this.play.textContent = "⏸ Pause";
    this.play.setAttribute("aria-pressed", "true");
    this.playing = setInterval(() => {
      const end = Number(this.slider.max);
      this.move(Math.min(end, this.at + Math.max(1, Math.round((end * TICK) / PLAYING))));
      if (this.at >= end) this.stop();
    }, TICK);
  }

  private stop(): void {
    clearInterval(this.playing);
    this.playing = undefined;
    this.play.textContent = "▶ Play";
    this.play.setAttribute("aria-pressed", "false");
  }
}
