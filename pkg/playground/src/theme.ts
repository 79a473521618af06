/** Light or dark: as the system says, until somebody chooses. */
import { byId } from "./element";
import { keep, kept } from "./storage";

const KEY = "capi-policy-theme";

/** Starts the switch; calls back when the colours change. */
export function startTheme(changed: () => void): void {
  const button = byId("theme");
  const system = matchMedia("(prefers-color-scheme: dark)");
  let chosen = kept(KEY);
  const dark = (): boolean => (chosen ?? (system.matches ? "dark" : "light")) === "dark";
  const apply = (): void => {
    document.documentElement.dataset["theme"] = dark() ? "dark" : "light";
    button.textContent = dark() ? "☀" : "☾";
    changed();
  };
  button.addEventListener("click", () => {
    chosen = dark() ? "light" : "dark";
    keep(KEY, chosen);
    apply();
  });
  system.addEventListener("change", apply);
  apply();
}
