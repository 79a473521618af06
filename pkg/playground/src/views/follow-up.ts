/** What follows from the decision: actions, events, when to ask again, and the status to store. */
import type { Action, OwnerAction, OwnerStep } from "capi-policy";
import type { Decision } from "../protocol";
import { byId, el } from "../element";
import { duration } from "../../../src/elements/moments";

/** Shows what a host would do. */
export function showFollowUp({ evaluation, actionCount, eventCount }: Decision): void {
  const { actions = [], events = [], ownerActions = [], status, requeueAfterSeconds } = evaluation;
  const more = (count: number, shown: number): HTMLElement[] =>
    count > shown ? [el("li", { class: "muted" }, `… ${count - shown} more`)] : [];
  byId("follow-up").replaceChildren(
    el("h3", { id: "follow-up-title" }, "What a controller would do"),
    el(
      "ul",
      { class: "plain", "data-list": "actions" },
      ...actions.map((action) => el("li", {}, el("span", { class: "chip action" }, action.type), ` ${describe(action)}`)),
      ...more(actionCount, actions.length),
    ),
    el(
      "ul",
      { class: "plain", "data-list": "events" },
      ...events.map(({ type, reason, message, objectKind, objectName }) =>
        el(
          "li",
          {},
          el("span", { class: `chip ${type === "Warning" ? "bad" : ""}` }, `event ${reason}`),
          ` ${objectKind} ${objectName}: ${message}`,
        ),
      ),
      ...more(eventCount, events.length),
    ),
    el("ul", { class: "plain", "data-list": "owner-actions" }, ...ownerActions.map(ownerAction)),
    actions.length + events.length + ownerActions.length === 0
      ? el("p", { class: "muted" }, "Store the conditions and the status; nothing else.")
      : "",
    requeueAfterSeconds === undefined ? "" : el("p", {}, `Ask again after ${duration(requeueAfterSeconds)}.`),
    Object.keys(status).length === 0
      ? ""
      : el(
          "dl",
          { class: "facts", "aria-label": "Status" },
          ...Object.entries(status).map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, shown(value)))),
        ),
  );
}

/** What the owner of machines decides to do, or why it waits. */
function ownerAction({ decision, row, why, steps = [], obstacles = [], error }: OwnerAction): HTMLElement {
  const details = ({ type: _type, ...rest }: OwnerStep): string =>
    Object.values(rest)
      .filter((value) => typeof value !== "object")
      .join(" ");
  return el(
    "li",
    {},
    el("span", { class: `chip ${steps.length > 0 ? "action" : ""}` }, decision),
    ` ${why} `,
    el("code", { class: "row-id" }, row),
    ...steps.map((step) => el("div", { class: "step" }, `→ ${step.type} ${details(step)}`)),
    ...[...obstacles, ...(error === undefined ? [] : [error])].map((line) => el("div", { class: "step muted" }, line)),
  );
}

function describe(action: Action): string {
  switch (action.type) {
    case "setOwnerReference":
      return `${action.owner.kind} ${action.owner.name}`;
    case "addLabel":
      return `${action.key}=${action.value}`;
    case "createRemediationRequest":
      return `${String(action.object["kind"])} for ${action.machine}`;
    case "deleteRemediationRequest":
      return `${action.kind} of ${action.machine}`;
    case "deleteMachine":
      return action.name;
    default:
      return JSON.stringify(action);
  }
}

function shown(value: unknown): string {
  if (value === "" || (Array.isArray(value) && value.length === 0)) return "—";
  if (Array.isArray(value)) return value.map(shown).join(", ");
  return typeof value === "string" ? value : JSON.stringify(value);
}
