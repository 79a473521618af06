/** Every example of the gallery, and the fleet, which is made on the spot. */
import made from "virtual:gallery";
import type { Example } from "./examples";

const FLEET: Example = {
  id: "fleet",
  title: "A fleet of 5,000 machines",
  note: "One Node in fifty went down within the last five minutes: press Play and watch machine after machine turn unhealthy and be handed to its owner.",
  story: true,
  machines: 5000,
};

export const examples: Example[] = [...made, FLEET];
