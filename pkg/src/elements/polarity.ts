/** What a condition's status means to a person. Cluster API's conditions are of two kinds: most are good when they are True. */
import type { Condition } from "../evaluation.js";

/** Wrong, in doubt, in progress, as it should be, or nothing to speak of. */
export type Tone = "bad" | "doubt" | "progress" | "good" | "none";

/** Conditions of which False is the ordinary state: True says that something is going on. */
const GOING_ON = new Set(["Deleting", "Paused", "Remediating", "RollingOut", "ScalingDown", "ScalingUp", "Updating"]);

/** How a condition should be seen. */
export function polarity({ type, status }: Pick<Condition, "type" | "status">): Tone {
  if (status === "Unknown") return "doubt";
  if (GOING_ON.has(type)) return status === "True" ? "progress" : "none";
  return status === "True" ? "good" : "bad";
}
