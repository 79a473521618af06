declare module "virtual:gallery" {
  import type { Example } from "./examples";
  const examples: Example[];
  export default examples;
}

/** sha256 of the module that this page runs. */
declare const POLICY_DIGEST: string;
