import type { SessionsPort } from '@assay/event-store';
import { portWith } from '@assay/event-store/test/port-with';
import type { SessionRollup } from '@assay/event-store';
import { SessionReads } from './session-reads.js';

const rollup = (numEvents: number): SessionRollup => ({
  ...{ numEvents, numModelEvents: 0, numErrors: 0, hasFeedback: false },
  ...{ cost: 0, unpricedModels: [], promptTokens: 0, completionTokens: 0, totalTokens: 0 },
});

describe('reading what sessions derive', () => {
  it('takes one statement for the sessions of a project that are asked for while another one runs', async () => {
    const statements: [string, readonly string[]][] = [];
    const reads = new SessionReads(
      portWith<SessionsPort>({
        rollups: (projectId, ids) => {
          statements.push([projectId, ids]);
          if (projectId === 'broken') return Promise.reject(new Error('the store is unavailable'));
          return Promise.resolve(new Map(ids.map((id) => [id, rollup(id.length)])));
        },
        metrics: (keys) => Promise.resolve(new Map(keys.map(({ eventId }) => [`p/${eventId}`, [{ a: 1 }]]))),
      }),
    );
    const first = reads.totals('p', 'a');
    const later = ['bb', 'ccc', 'bb'].map((id) => reads.totals('p', id));
    const failing = reads.totals('broken', 'a');
    const of = (found: { numEvents: number } | undefined) => found?.numEvents;
    await expect(failing).rejects.toThrow('the store is unavailable');
    expect((await Promise.all([first, ...later])).map(of)).toEqual([1, 2, 3, 2]);
    expect(statements).toEqual([
      ['p', ['a']],
      ['p', ['bb', 'ccc']],
      ['broken', ['a']],
    ]);
    expect(await reads.scores('p', 'a')).toEqual([{ a: 1 }]);
  });
});
