/** What the elements show of evaluations and forecasts, for workers: nothing here needs a page. */
export { polarity, type Tone } from "./elements/polarity.js";
export { summarize, type Summary } from "./elements/summary.js";
export { type Lane, timeline, type Timeline } from "./elements/timeline-model.js";
export { VERDICTS } from "./elements/verdicts.js";
