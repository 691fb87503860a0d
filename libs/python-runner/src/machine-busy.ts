/** The machine has no core or no memory for what was asked; the same may succeed later. */
export class MachineBusy extends Error {}
