import type { Deletion } from '@assay/event-store';

type Turn = Pick<Deletion, 'id' | 'projectId' | 'state'>;

/** Deletions of one project in a round, so that one with many of them leaves time for the others. */
const TURNS = 8;

/**
 * Returns the deletions that have a turn in this round: of each project those that have waited longest, one of each project after the
 * other. A deletion that waits for late events or the disk has none when it had one after `waitedSince`. Times by id are of one clock.
 */
export function nextTurns<T extends Turn>(
  open: readonly T[],
  takenAt: ReadonlyMap<string, number>,
  waitedSince: number,
): T[] {
  const timeOf = ({ id }: Turn) => takenAt.get(id) ?? -Infinity;
  const due = open.filter((one) => one.state === 'running' || timeOf(one) <= waitedSince);
  const byProject = new Map<string, T[]>();
  for (const one of due.sort((first, second) => compare(timeOf(first), timeOf(second)))) {
    const turns = byProject.get(one.projectId) ?? [];
    byProject.set(one.projectId, turns);
    if (turns.length < TURNS) turns.push(one);
  }
  return Array.from({ length: TURNS }, (_, index) =>
    [...byProject.values()].flatMap((turns) => turns[index] ?? []),
  ).flat();
}

/** Subtraction makes NaN of two infinities. */
function compare(one: number, other: number): number {
  return one < other ? -1 : Number(one > other);
}
