/** A worker of its own for forecasts, so that a long one never keeps a decision waiting. */
import { forecast, init } from "capi-policy";
import { timeline } from "capi-policy/summaries";

/** What to look ahead at. */
export interface ForecastOrder {
  id: number;
  text: string;
  until: string;
  horizon: number;
}

const ready = init();

addEventListener("message", ({ data }: MessageEvent<ForecastOrder>) => {
  ready
    .then(() => postMessage({ id: data.id, timeline: timeline(forecast(data.text, data.until), data.horizon) }))
    .catch((failure: unknown) => postMessage({ id: data.id, failure: String(failure) }));
});
