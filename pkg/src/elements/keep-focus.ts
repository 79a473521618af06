/** Replaces what an element holds without taking the keyboard away from whoever is in it. */

/** Puts new children in; what had the focus gets it back by its `data-key`. */
export function replaceKeepingFocus(container: Element, ...children: (Node | string)[]): void {
  const active = (container.getRootNode() as Document | ShadowRoot).activeElement;
  const key = active && container.contains(active) ? active.closest("[data-key]")?.getAttribute("data-key") : undefined;
  container.replaceChildren(...children);
  if (key) container.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`)?.focus({ preventScroll: true });
}
