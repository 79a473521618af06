/**
 * Views of decisions, as custom elements for any page: data goes in as properties, what people choose comes out as events.
 *
 * Importing this module defines `<capi-overview>`, `<capi-conditions>`, `<capi-threshold>`, `<capi-timeline>` and
 * `<capi-explanation>`. They follow the page's `color-scheme`; `--capi-accent` and its kin give them other colours.
 */
import { CapiConditions } from "./conditions.js";
import { CapiExplanation } from "./explanation.js";
import { CapiOverview } from "./overview.js";
import { CapiThreshold } from "./threshold.js";
import { CapiTimeline } from "./timeline.js";

export { CapiConditions, CapiExplanation, CapiOverview, CapiThreshold, CapiTimeline };
export { polarity, type Tone } from "./polarity.js";
export { summarize, type Summary } from "./summary.js";
export { type Lane, timeline, type Timeline } from "./timeline-model.js";
export { WorkerClient, type WorkerClientEvents } from "./worker-client.js";

const ELEMENTS = {
  "capi-overview": CapiOverview,
  "capi-conditions": CapiConditions,
  "capi-threshold": CapiThreshold,
  "capi-timeline": CapiTimeline,
  "capi-explanation": CapiExplanation,
};

for (const [name, element] of Object.entries(ELEMENTS)) if (!customElements.get(name)) customElements.define(name, element);

declare global {
  interface HTMLElementTagNameMap {
    "capi-overview": CapiOverview;
    "capi-conditions": CapiConditions;
    "capi-threshold": CapiThreshold;
    "capi-timeline": CapiTimeline;
    "capi-explanation": CapiExplanation;
  }
}
