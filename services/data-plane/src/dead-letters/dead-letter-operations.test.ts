import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { listDeadLetters, ResponseOf } from '@assay/contracts';
import { ADMINISTRATOR } from '@assay/domain';
import { openEmbeddedEventLog, type ConsumedRecord, type EventLog } from '@assay/event-log';
import { createLogger, runCooperatively, type Steps } from '@assay/runtime';
import { makeDeleteDeadLetter, makeDeleteDeadLetters } from './delete-dead-letters.js';
import { makeGetDeadLetter } from './get-dead-letter.js';
import { makeListDeadLetters } from './list-dead-letters.js';
import { makeReplayDeadLetters } from './replay-dead-letters.js';
import { makeRunInOrder } from '../shared/run-in-order.js';

const context = {
  caller: ADMINISTRATOR,
  requestId: 'r',
  signal: new AbortController().signal,
  yieldToEventLoop: () => undefined,
  runInTurns: <T>(steps: Steps<T>) => runCooperatively(steps, () => undefined),
  headers: {},
  origin: { address: '127.0.0.1' },
};
const request = (parts: object = {}) => ({ params: {}, query: {}, body: {}, ...parts }) as never;
const letter = (offset: number): ConsumedRecord => ({
  key: `0b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2${offset}`,
  value: Buffer.from('{"secret":"value"}'),
  headers: { kind: 'event' },
  partition: 0,
  offset,
  appendedAt: 1,
});

describe('dead letters', () => {
  let dir: string;
  let log: EventLog;
  const deps = () => ({ log, inOrder: makeRunInOrder() });
  const list = async (query: object = {}) => {
    const response = await makeListDeadLetters({ log })(request({ query }), context);
    return response as ResponseOf<typeof listDeadLetters>;
  };
  const ids = async (query?: object) => (await list(query)).dead_letters.map(({ id }) => id);
  const read = () =>
    new Promise<readonly ConsumedRecord[]>((found) => {
      const onBatch = (batch: readonly ConsumedRecord[]) => Promise.resolve(found(batch));
      void log.read({ group: 'g', maxRecords: 9, maxBytes: 1000, lingerMs: 0, onBatch });
    });
  beforeEach(async () => {
    dir = mkdtempSync(join(tmpdir(), 'assay-dead-letters-'));
    log = await openEmbeddedEventLog({ dir, logger: createLogger({ level: 'error', service: 'test' }) });
    await log.deadLetter(letter(1), {
      group: 'store',
      errorClass: 'VALIDATION_ERROR',
      epoch: 3,
      project: 'a',
    });
    await log.deadLetter(letter(2), {
      group: 'store',
      errorClass: 'EVENT_TOO_LARGE',
      epoch: 3,
      project: 'b',
    });
    await log.deadLetter(letter(3), { group: 'forward', errorClass: 'VALIDATION_ERROR' });
  });
  afterEach(async () => {
    await log.close();
    rmSync(dir, { recursive: true, force: true });
  });

  it('are listed with their id, time, position and reason, without their value', async () => {
    const { dead_letters: letters, next_cursor: cursor } = await list();
    expect(cursor).toBeNull();
    expect(letters[0]).toEqual({
      id: 'store-3-0-1',
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) as string,
      project_id: 'a',
      event_id: letter(1).key,
      group: 'store',
      error_class: 'VALIDATION_ERROR',
      partition: 0,
      offset: 1,
      bytes: 18,
    });
    expect(letters.map(({ id, project_id }) => [id, project_id])).toEqual([
      ['store-3-0-1', 'a'],
      ['store-3-0-2', 'b'],
      ['forward-0-0-3', null],
    ]);
  });

  it.each([
    [{ group: 'forward' }, ['forward-0-0-3']],
    [{ error_class: 'VALIDATION_ERROR' }, ['store-3-0-1', 'forward-0-0-3']],
    [{ error_class: 'VALIDATION_ERROR', group: 'store' }, ['store-3-0-1']],
    [{ project_id: 'b' }, ['store-3-0-2']],
    [{ project_id: 'c' }, []],
  ])('are listed by %j', async (query, expected) => {
    expect(await ids(query)).toEqual(expected);
  });

  it('are listed page by page', async () => {
    const first = await list({ limit: 2 });
    expect(first.dead_letters).toHaveLength(2);
    const second = await list({ limit: 2, cursor: first.next_cursor });
    expect(second).toMatchObject({ dead_letters: [{ id: 'forward-0-0-3' }], next_cursor: null });
    await expect(list({ cursor: 'x' })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  it('are shown and deleted by id, and the others are kept', async () => {
    const get = (id: string) =>
      makeGetDeadLetter({ log })(request({ params: { dead_letter_id: id } }), context);
    const remove = (id: string) =>
      makeDeleteDeadLetter(deps())(request({ params: { dead_letter_id: id } }), context);
    const before = await get('store-3-0-1');
    expect(before).toMatchObject({ id: 'store-3-0-1', error_class: 'VALIDATION_ERROR' });
    expect(await remove('store-3-0-2')).toEqual({ success: true });
    await expect(remove('store-3-0-2')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(get('store-3-0-2')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await get('store-3-0-1')).toEqual(before);
    expect((await ids()).sort()).toEqual(['forward-0-0-3', 'store-3-0-1']);
  });

  it('are deleted by filter, and never without one', async () => {
    const remove = (body: object) => makeDeleteDeadLetters(deps())(request({ body }), context);
    await expect(remove({ limit: 5 })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(await remove({ group: 'store' })).toEqual({ success: true, deleted: 2 });
    expect(await ids()).toEqual(['forward-0-0-3']);
  });

  it('are replayed unchanged by id and by filter, and then no longer listed', async () => {
    const replay = (body: object) => makeReplayDeadLetters(deps())(request({ body }), context);
    expect(await replay({ ids: ['store-3-0-2', 'unknown'] })).toEqual({ success: true, replayed: 1 });
    expect((await ids()).sort()).toEqual(['forward-0-0-3', 'store-3-0-1']);
    const { key, value, headers } = letter(2);
    expect(await read()).toMatchObject([{ key, value, headers }]);
    expect(await replay({ group: 'forward' })).toEqual({ success: true, replayed: 1 });
    expect(await replay({})).toEqual({ success: true, replayed: 1 });
    expect(await list()).toEqual({ dead_letters: [], next_cursor: null });
  });
});
