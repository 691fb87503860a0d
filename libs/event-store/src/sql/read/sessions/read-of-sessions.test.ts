import { validationError } from '@assay/errors';
import { readerFailure } from '../../engine/engine-failure.js';
import { readOfSessions } from './read-of-sessions.js';

/** The engine's code of a statement that needs too much memory. */
const MEMORY_LIMIT_EXCEEDED = 241;

describe('reading the rows of many sessions', () => {
  const ids = Array.from({ length: 2_600 }, (_, index) => `session ${index}`);
  const engineError = (code: number) => Object.assign(new Error('refused'), { code: String(code) });

  /** Reads them all, when one statement returns so many rows for each session, or fails with more than `maxIds`. */
  async function read(rowsOfSession: number, { maxIds = Infinity, failure = new Error('unknown') } = {}) {
    const statements: number[] = [];
    const rows: string[] = [];
    const parts = readOfSessions(ids, {
      maxRowsOfSession: 10,
      read: (some, limit) => {
        statements.push(some.length);
        if (some.length > maxIds) return Promise.reject(failure);
        return Promise.resolve(some.flatMap((id) => Array<string>(rowsOfSession).fill(id)).slice(0, limit));
      },
    });
    for await (const part of parts) rows.push(...part);
    return { statements, rows };
  }

  const inParts = [2_500, ...Array.from({ length: 10 }, () => 250), 100];

  it('takes one statement for 2,500 sessions with few rows', async () => {
    expect(await read(1)).toEqual({ statements: [2_500, 100], rows: ids });
  });

  it('takes smaller statements when one cannot return all rows', async () => {
    const { statements, rows } = await read(10);
    expect(statements).toEqual(inParts);
    expect(rows).toHaveLength(26_000);
  });

  it('takes smaller statements when the rows are too large together', async () => {
    const failure = readerFailure(engineError(MEMORY_LIMIT_EXCEEDED));
    expect(await read(1, { maxIds: 250, failure })).toEqual({ statements: inParts, rows: ids });
  });

  it('fails when a small part is too large, and with any other failure', async () => {
    const failure = readerFailure(engineError(MEMORY_LIMIT_EXCEEDED));
    await expect(read(1, { maxIds: 100, failure })).rejects.toBe(failure);
    const other = validationError('another failure');
    await expect(read(1, { maxIds: 250, failure: other })).rejects.toBe(other);
  });
});
