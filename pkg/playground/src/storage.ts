/** Small settings that outlive the page, where the browser keeps any: storage may be blocked, and then everything else still works. */

/** What was kept under a name. */
export function kept(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** Keeps a value under a name; false when the browser does not let the page. */
export function keep(name: string, value: string): boolean {
  try {
    localStorage.setItem(name, value);
    return true;
  } catch {
    return false;
  }
}
