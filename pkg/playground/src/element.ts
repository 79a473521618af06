/** Elements of the page, and new ones. */
export { type Attributes, el, svg } from "../../src/elements/build";

/** The element of the page with this id. */
export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no #${id}`);
  return element as T;
}
