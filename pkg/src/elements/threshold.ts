/** `<capi-threshold>`: the arithmetic behind RemediationAllowed, drawn as a bar. */
import type { Threshold } from "../evaluation.js";
import { el, svg } from "./build.js";
import { look } from "./verdicts.js";
import { View } from "./view.js";

const STYLE = `
.scale { position: relative; padding-top: 14px; }
.mark { position: absolute; top: 0; font-size: 12px; font-weight: 600; white-space: nowrap; }
.mark.centred { transform: translateX(-50%); }
.mark.before { transform: translateX(-100%); }
svg { display: block; width: 100%; height: 44px; }
.track { fill: var(--hover); }
.limit { stroke: var(--text); stroke-width: 3; vector-effect: non-scaling-stroke; }
.fill.unhealthy { fill: var(--unhealthy); }
.fill.waiting { fill: var(--waiting); }
.fill.notEvaluated { fill: var(--notEvaluated); }
.fill.healthy { fill: var(--healthy); }
`;

/** Shows how many machines are not healthy, and how many may be. */
export class CapiThreshold extends View {
  /** `threshold` of a health check's evaluation; undefined: there is nothing to show. */
  declare threshold: Threshold | undefined;

  static {
    this.properties<CapiThreshold>({ threshold: undefined });
  }

  constructor() {
    super(STYLE);
  }

  protected draw(): void {
    this.root.replaceChildren(...(this.threshold ? [thresholdBar(this.threshold)] : []));
  }
}

const PARTS = ["unhealthy", "waiting", "notEvaluated", "healthy"] as const;

/** Draws targets by verdict, and where the limit lies. */
function thresholdBar(threshold: Threshold): HTMLElement {
  const { targets, counted, limit, min, allowed, configured, source, flips } = threshold;
  const counts: Record<(typeof PARTS)[number], number> = threshold;
  const whole = Math.max(targets, limit, 1);
  const x = (count: number): number => (Math.min(count, whole) / whole) * 1000;
  let from = 0;
  const parts = PARTS.filter((part) => counts[part] > 0).map((part) => {
    const part_ = svg(
      "rect",
      { x: x(from), y: 14, width: Math.max(x(counts[part]) - 2, 1), height: 26, rx: 3, class: `fill ${part}` },
      svg("title", {}, `${counts[part]} ${look(part).label}`),
    );
    from += counts[part];
    return part_;
  });
  const mark = (at: number, label: string): SVGElement[] => [
    svg("line", { x1: x(at), x2: x(at), y1: 6, y2: 48, class: "limit" }),
    svg("title", {}, label),
  ];
  const words = `${counted} of ${targets} not healthy (${
    PARTS.slice(0, 3)
      .filter((part) => counts[part] > 0)
      .map((part) => `${counts[part]} ${look(part).label}`)
      .join(" + ") || "none"
  })`;
  const rule = min === undefined ? `allowed up to ${limit}` : `allowed from ${min} to ${limit}`;
  const from_ = source === "default" ? `${configured} by default` : `${source.split(".").at(-1)}: ${configured}`;
  return el(
    "div",
    { class: "threshold" },
    el(
      "div",
      { class: "scale", "aria-hidden": "true" },
      ...(min === undefined || min === 0 ? [] : [label(x(min), `from ${min}`)]),
      label(x(limit), min === undefined ? `limit ${limit}` : `to ${limit}`),
    ),
    svg(
      "svg",
      {
        viewBox: "0 0 1000 52",
        preserveAspectRatio: "none",
        role: "img",
        "aria-label": `${words}, ${rule}: ${allowed ? "allowed" : "blocked"}`,
      },
      svg("rect", { x: 0, y: 14, width: 1000, height: 26, rx: 3, class: "track" }),
      ...parts,
      ...(min === undefined || min === 0 ? [] : mark(min, `from ${min}`)),
      ...mark(limit, `up to ${limit}`),
    ),
    el(
      "p",
      {},
      el("strong", {}, words),
      `, ${rule} `,
      el("span", { class: "muted" }, `(${from_})`),
      " → ",
      el("strong", { class: allowed ? "good" : "bad" }, allowed ? "allowed" : "blocked"),
    ),
    el("p", { class: "muted" }, flips),
  );
}

/** Words above the bar, where they fit. */
function label(at: number, words: string): HTMLElement {
  const mark = el("span", { class: `mark ${at < 60 ? "" : at > 940 ? "before" : "centred"}` }, words);
  mark.style.left = `${at / 10}%`;
  return mark;
}
