/** Light or dark: as the system says, until somebody chooses. */
import { byId } from "./element";

const KEY = "capi-policy-theme";

/** Starts the switch; calls back when the colours change. */
export function startTheme(changed: () => void): void {
  const button = byId("theme");
  const system = matchMedia("(prefers-color-scheme: dark)");
  const dark = (): boolean => (localStorage.getItem(KEY) ?? (system.matches ? "dark" : "light")) === "dark";
  const apply = (): void => {
    document.documentElement.dataset["theme"] = dark() ? "dark" : "light";
    button.textContent = dark() ? "☀" : "☾";
    changed();
  };
  button.addEventListener("click", () => {
    localStorage.setItem(KEY, dark() ? "light" : "dark");
    apply();
  });
  system.addEventListener("change", apply);
  apply();
}
