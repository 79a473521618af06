/** Something to look at: a story, or a case of the policy's own tests. */
export interface Example {
  id: string;
  title: string;
  /** One sentence on what to look at. */
  note: string;
  story?: boolean;
  /** The row that decides. */
  row?: string;
  /** The document; absent for the fleet, which is made on the spot. */
  text?: string;
  machines?: number;
}
