/** A worker of its own for forecasts, so that a long one never keeps a decision waiting. */
import { forecast, init } from "capi-policy";
import { timeline } from "./timeline";

/** What to look ahead at. */
export interface ForecastOrder {
  id: number;
  text: string;
  until: string;
  horizon: number;
}

const ready = init();

addEventListener("message", ({ data }: MessageEvent<ForecastOrder>) => {
  void ready.then(() => {
    try {
      postMessage({ id: data.id, timeline: timeline(forecast(data.text, data.until), data.horizon) });
    } catch (failure) {
      postMessage({ id: data.id, failure: String(failure) });
    }
  });
});
