declare module "virtual:gallery" {
  import type { Example } from "./examples";
  const examples: Example[];
  export default examples;
}

declare module "virtual:scenarios" {
  const scenarios: { id: string; title: string; note: string; text: string }[];
  export default scenarios;
}

/** sha256 of the module that this page runs. */
declare const POLICY_DIGEST: string;
