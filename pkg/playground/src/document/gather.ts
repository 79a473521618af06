/** Values of a document in, the objects in it out, each with where it stands. */
import { type Origin, origins, type Value } from "./parse";

/** Plain data with fields. */
export type Fields = Record<string, unknown>;

/** A Kubernetes object. */
export interface Found {
  object: Fields;
  origin: Origin;
}

/** What a text holds: objects to be put together, and snapshots that are complete. */
export interface Contents {
  objects: Found[];
  snapshots: Found[];
}

/** Whether a value has fields. */
export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Sorts values into objects and snapshots; lists are unfolded. */
export function gather(values: Value[], isSnapshot: (value: Fields) => boolean): Contents {
  const contents: Contents = { objects: [], snapshots: [] };
  for (const { value, origin } of values) visit(value, origin, contents, isSnapshot);
  return contents;
}

function visit(value: unknown, origin: Origin, contents: Contents, isSnapshot: (value: Fields) => boolean): void {
  if (Array.isArray(value)) {
    visitItems(value, origin, contents, isSnapshot);
  } else if (isFields(value)) {
    if (Array.isArray(value["items"]) && (value["kind"] === undefined || String(value["kind"]).endsWith("List"))) {
      visitItems(value["items"], below(origin, "items"), contents, isSnapshot);
    } else if (Array.isArray(value["cases"])) {
      value["cases"].forEach((item: unknown, i) => {
        if (isFields(item)) visit(item["input"], below(origin, "cases", i, "input"), contents, isSnapshot);
      });
    } else if (value["apiVersion"] === undefined && isSnapshot(value)) {
      contents.snapshots.push({ object: value, origin });
    } else if (typeof value["kind"] === "string") {
      contents.objects.push({ object: value, origin });
    }
  }
}

function visitItems(items: unknown[], origin: Origin, contents: Contents, isSnapshot: (value: Fields) => boolean): void {
  items.forEach((item, i) => visit(item, itemOrigin(items, i, origin), contents, isSnapshot));
}

/** Where an item of a list stands: apart, where the list was parsed apart. */
export function itemOrigin(items: unknown[], i: number, list: Origin): Origin {
  const apart = origins.get(items)?.[i];
  return apart ? { ...apart, at: [0] } : below(list, i);
}

/** One or more steps further down. */
export function below(origin: Origin, ...steps: (string | number)[]): Origin {
  return { ...origin, at: [...origin.at, ...steps] };
}
