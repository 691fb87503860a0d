import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ADMINISTRATOR } from '@assay/domain';
import { openEmbeddedEventLog, type EventLog, type ConsumedRecord } from '@assay/event-log';
import { createLogger, runCooperatively, type Steps } from '@assay/runtime';
import { makeListDeadLetters, makeReplayDeadLetters } from './dead-letters.js';

const context = {
  caller: ADMINISTRATOR,
  requestId: 'r',
  signal: new AbortController().signal,
  yieldToEventLoop: () => undefined,
  runInTurns: <T>(steps: Steps<T>) => runCooperatively(steps, () => undefined),
  headers: {},
  origin: { address: '127.0.0.1' },
};
const request = { params: {}, query: {}, body: {} } as never;
const letter: ConsumedRecord = {
  key: '0b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2e',
  value: Buffer.from('{"secret":"value"}'),
  headers: { kind: 'event' },
  partition: 0,
  offset: 41,
  appendedAt: 1,
};

describe('dead letters', () => {
  const dir = mkdtempSync(join(tmpdir(), 'assay-dead-letters-'));
  let log: EventLog;
  beforeAll(async () => {
    log = await openEmbeddedEventLog({ dir, logger: createLogger({ level: 'error', service: 'test' }) });
    await log.deadLetter(letter, { group: 'store', errorClass: 'VALIDATION_ERROR' });
  });
  afterAll(async () => {
    await log.close();
    rmSync(dir, { recursive: true, force: true });
  });

  it('are listed with their offset and reason, without their value', async () => {
    const response = await makeListDeadLetters({ log })(request, context);
    expect(response).toEqual({
      dead_letters: [
        {
          event_id: letter.key,
          group: 'store',
          error_class: 'VALIDATION_ERROR',
          partition: 0,
          offset: 41,
          bytes: 18,
        },
      ],
    });
  });

  it('are replayed unchanged and then no longer listed', async () => {
    expect(await makeReplayDeadLetters({ log })(request, context)).toEqual({ success: true, replayed: 1 });
    expect(await makeListDeadLetters({ log })(request, context)).toEqual({ dead_letters: [] });
    const replayed = await new Promise<readonly ConsumedRecord[]>((found) => {
      void log.read({
        group: 'g',
        maxRecords: 1,
        maxBytes: 1000,
        lingerMs: 0,
        onBatch: (batch) => Promise.resolve(found(batch)),
      });
    });
    expect(replayed).toMatchObject([{ key: letter.key, value: letter.value, headers: letter.headers }]);
  });
});
