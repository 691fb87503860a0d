import { randomUUID } from 'node:crypto';
import type { Query, QueryRunner } from '../../engine/engine.js';
import { tableNames } from '../../schema/topology.js';
import { readRollups } from './roll-up-sessions.js';

/** Answers each statement with its sessions, of so many events with an incomplete index. */
function engineOf(eventsOf: (sessionId: string) => number) {
  const asked: number[] = [];
  const query = <Row>({ bindings }: Query) => {
    const ids = Object.values(bindings).find((value) => typeof value === 'object') ?? [];
    asked.push(ids.length);
    const rows = ids.map((session) => ({
      ...{ session, num_events: eventsOf(session), num_model_events: 0, num_errors: 0, has_feedback: 0 },
      ...{ num_incomplete: 1, parents: [], reports: [], calls: [0, 0, 0, 0] },
    }));
    return Promise.resolve(rows as Row[]);
  };
  const runner: QueryRunner = { query };
  return { runner, asked };
}

describe('roll-ups of sessions with an incomplete index', () => {
  const tables = tableNames({ database: 'assay' });

  it('are read for many sessions with one statement', async () => {
    const ids = Array.from({ length: 500 }, () => randomUUID());
    const { runner, asked } = engineOf(() => 2);
    expect((await readRollups(runner, tables, 'p', ids)).size).toBe(500);
    expect(asked).toEqual([500, 200, 200, 100, 200, 200, 100]);
  });

  it('are read for sessions with 20,000 events together at most', async () => {
    const ids = Array.from({ length: 5 }, () => randomUUID());
    const sizes = new Map<string, number>(
      ids.map((id, index) => [id, [9_000, 11_000, 1, 30_000, 1][index] ?? 0]),
    );
    const { runner, asked } = engineOf((id) => sizes.get(id) ?? 0);
    expect((await readRollups(runner, tables, 'p', ids)).size).toBe(5);
    expect(asked).toEqual([5, 2, 1, 1, 1]);
  });
});

describe('a roll-up', () => {
  it('is the same in whatever order the engine lists the rows of an event with two of them', async () => {
    const parents = [
      [1, 0],
      [2, 1],
      [2, 0],
      [3, 2],
    ] as const;
    const call = (id: number, prompt: number) => [id, 0, 0, 9, 0, 0, prompt, 0, prompt, 0, 'm'] as const;
    const reports = [call(1, 7), call(2, 7), call(2, 3), call(3, 5)];
    const rollupOf = async (order: <Item>(items: readonly Item[]) => readonly Item[]) => {
      const query = <Row>() =>
        Promise.resolve([
          {
            ...{ session: 's', num_events: 4, num_model_events: 4, num_errors: 0, has_feedback: 0 },
            ...{ num_incomplete: 0, parents: order(parents), reports: order(reports), calls: [0, 0, 0, 0] },
          },
        ] as Row[]);
      return (await readRollups({ query }, tableNames({ database: 'assay' }), 'p', ['s'])).get('s');
    };
    const asListed = await rollupOf((items) => items);
    expect(asListed?.totalTokens).toBeGreaterThan(0);
    expect(await rollupOf((items) => items.toReversed())).toStrictEqual(asListed);
  });
});
