import { nextTurns } from './next-turns.js';

describe('the turns of deletions in a round', () => {
  const deletion = (projectId: string, number: number, state: 'running' | 'deleted' = 'running') => ({
    ...{ id: `${projectId}${number}`, projectId, state },
  });
  const idsOf = (turns: readonly { readonly id: string }[]) => turns.map(({ id }) => id);
  const many = Array.from({ length: 500 }, (_, number) => deletion('loud', number));

  it('are at most eight of a project, which takes turns with others', () => {
    const turns = idsOf(nextTurns([...many, deletion('quiet', 0)], new Map(), 0));
    expect(turns.slice(0, 2)).toEqual(['loud0', 'quiet0']);
    expect(turns).toHaveLength(9);
  });

  it('reach every deletion of a project, those that have waited longest first', () => {
    const takenAt = new Map<string, number>();
    for (let round = 1; round <= 63; round++)
      for (const { id } of nextTurns(many, takenAt, 0)) takenAt.set(id, round);
    expect(takenAt.size).toBe(500);
    expect([...takenAt.values()].filter((round) => round === 1)).toHaveLength(4);
  });

  it('have none of those that have waited a short time for late events', () => {
    const open = [deletion('p', 0, 'deleted'), deletion('p', 1, 'deleted'), deletion('p', 2)];
    const takenAt = new Map(open.map(({ id }, index) => [id, [5, 15, 15][index] ?? 0]));
    expect(idsOf(nextTurns(open, takenAt, 10))).toEqual(['p0', 'p2']);
  });
});
