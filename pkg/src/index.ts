/**
 * Cluster API's condition logic and health checks: a snapshot of Kubernetes objects and a time in, the decision out.
 *
 * ```js
 * import { evaluate, init } from "capi-policy";
 * await init();
 * evaluate({ now: "2025-01-01T00:00:00Z", machine: { metadata: { name: "m1" } } }).conditions;
 * ```
 */
import load, * as policy from "../wasm/capi_policy.js";
import type { InitInput } from "../wasm/capi_policy.js";
import { ask, setLoaded } from "./ask.js";
import { moduleSource } from "./module-source.js";
import { PolicyError, type PolicyErrorCode } from "./error.js";
import { jsonText } from "./text.js";
import type { Catalog } from "./catalog.js";
import type { Evaluation } from "./evaluation.js";
import type { Forecast } from "./forecast.js";
import type { Snapshot } from "./snapshot.js";

export { PolicyError, type PolicyErrorCode };
export { decide, Fleet } from "./fleet.js";
export type * from "./fleet.js";
export type * from "./catalog.js";
export type * from "./evaluation.js";
export type * from "./forecast.js";
export type * from "./snapshot.js";

/**
 * What a module can be loaded from: its address (a string or a URL), a Request or a Response, its bytes (an ArrayBuffer or a view of
 * one), or a compiled `WebAssembly.Module`. The types of these belong to the host, a browser or Node, not to the package.
 */
export type ModuleSource = string | object;

let loading: Promise<void> | undefined;

/**
 * Loads the policy; call it once, before anything else. The package finds its own module: name another source only where
 * that lies elsewhere. Later calls wait for the first and change nothing, unless it failed.
 */
export function init(source?: ModuleSource | Promise<ModuleSource>): Promise<void> {
  loading ??= start(source ?? moduleSource()).catch((failure: unknown) => {
    loading = undefined;
    throw failure;
  });
  return loading;
}

async function start(source: ModuleSource | Promise<ModuleSource>): Promise<void> {
  await load({ module_or_path: source as InitInput | Promise<InitInput> });
  setLoaded();
}

/** The decision about the object that the snapshot is about. The snapshot may be given as JSON text. */
export function evaluate(snapshot: Snapshot | string): Evaluation {
  return ask(() => JSON.parse(policy.evaluate(jsonText(snapshot, "snapshot"))) as Evaluation);
}

/** The decisions to come up to `until` (RFC 3339), if nothing but time changes. */
export function forecast(snapshot: Snapshot | string, until: string): Forecast {
  return ask(() => JSON.parse(policy.forecast(jsonText(snapshot, "snapshot"), until)) as Forecast);
}

/** What this policy is and every table it runs. */
export function catalog(): Catalog {
  return ask(() => JSON.parse(policy.catalog()) as Catalog);
}

/** The version of the policy. */
export function version(): string {
  return ask(() => policy.version());
}
