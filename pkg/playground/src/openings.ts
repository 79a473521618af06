/** Documents to open: what an address leads to, and what goes with it. */
import { enter, place } from "./address";
import type { Example } from "./examples";
import { noLinks } from "./features";
import type { PolicyWorker } from "./policy-worker";
import type { Question, Source } from "./protocol";
import { readShared, readView } from "./shared-view";
import { FLEET_NOW } from "./worker/fleet";

/** A document to open. */
export interface Opening {
  source: Source;
  question?: Question;
  note?: string;
  /** When it was opened, where that is not this moment. */
  now?: string;
  /** The name under which it is kept; absent for what others made. */
  draft?: string;
}

/** A question about nothing in particular. */
export const FRESH: Question = { offset: 0, whatIf: {}, horizon: 0 };

/** The fleet that is made on the spot is about one moment, and has no other control plane. */
const FLEET: Question = { ...FRESH, start: FLEET_NOW, complete: ["controlplane.cluster.x-k8s.io/KubeadmControlPlane"] };

/** What the address names; at the start, when it names nothing, the last draft. */
export async function named(worker: PolicyWorker, starting: boolean): Promise<Opening | undefined> {
  const to = place();
  switch (to?.type) {
    case "session":
      return shared(worker, to.packed);
    case "draft":
      return kept(worker, to.id);
    case "example": {
      const { examples } = await import("./gallery");
      const example = examples.find(({ id }) => id === to.id);
      if (!example) throw new Error("The gallery has no example of this name.");
      return ofExample(example);
    }
    case "simulate":
    case "scenario":
      // Shown in front of the document.
      return starting ? await kept(worker, undefined).catch(() => undefined) : undefined;
    case "unknown":
      throw new Error("The link is broken: it names nothing that the page knows.");
    case undefined: {
      const draft = starting ? await kept(worker, undefined).catch(() => undefined) : undefined;
      if (draft?.draft !== undefined) enter({ type: "draft", id: draft.draft }, "replace");
      return draft;
    }
  }
}

/** An example, with what to look at. */
export function ofExample({ note, row, text, machines }: Example): Opening {
  if (machines !== undefined) return { source: { machines }, question: FLEET, note };
  return { source: text ?? "", question: { ...FRESH, ...(row !== undefined && { row }) }, note };
}

async function shared(worker: PolicyWorker, packed: string): Promise<Opening> {
  const missing = noLinks();
  if (missing !== undefined) throw new Error(missing);
  let json: string;
  try {
    json = await worker.request({ what: "unpack", packed });
  } catch (failure) {
    const why = failure instanceof Error ? failure.message : "";
    throw new Error(why.includes("8 MB") ? `The link was not opened: ${why}.` : "The link is broken: it holds no session.");
  }
  const { text, question, note } = readShared(json, FRESH);
  return { source: text, question, note };
}

async function kept(worker: PolicyWorker, id: string | undefined): Promise<Opening | undefined> {
  const json = await worker.request({ what: "draft", ...(id !== undefined && { id }) });
  const draft = JSON.parse(json) as { id: string; openedAt: string; view: unknown } | null;
  if (!draft && id === undefined) return undefined;
  if (!draft) throw new Error("This browser has no draft of this name any more.");
  const { question, note } = readView(draft.view, FRESH);
  // The text stays with the worker: it may be as large as a fleet.
  return { source: { draft: draft.id }, question, note, now: draft.openedAt, draft: draft.id };
}
