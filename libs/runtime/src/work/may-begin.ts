/** How projects share places. */
export interface Shares {
  /** Places of all projects. */
  readonly total: number;
  /** Places of one project. */
  readonly perProject: number;
  /** Whether a project takes as many places as are free, and no more, so that projects with calls that hang leave some to others. */
  readonly leavesRoom?: boolean;
  /** Places beyond the total, each for a project that has no other one. */
  readonly reserve?: number;
}

/** Places that are taken: by one project, and by all. */
export interface TakenPlaces {
  readonly ofProject: number;
  readonly ofAll: number;
}

/** Returns whether a project may take one more place. */
export function mayBegin(
  { total, perProject, leavesRoom = false, reserve = 0 }: Shares,
  { ofProject, ofAll }: TakenPlaces,
): boolean {
  const free = total - ofAll;
  if (free <= 0) return ofProject === 0 && free + reserve > 0;
  return ofProject < (leavesRoom ? Math.min(perProject, free) : perProject);
}
