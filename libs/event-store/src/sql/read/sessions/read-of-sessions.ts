import { AppError } from '@assay/errors';
import { isOverLimit } from '../../engine/engine-failure.js';
import { chunks } from '../rows/chunks.js';

/**
 * Sessions of one statement. Planning it and reading the sessions of the newest hour cost as much as hundreds of sessions, and
 * most have a few rows. The ids are about 97 KB of text. A ClickHouse server parses at most 256 KiB of one parameter.
 */
const SESSIONS_PER_QUERY = 2_500;
/** Sessions whose rows one statement returns completely, however many each has. */
export const SESSIONS_OF_ANY_SIZE = 250;

/** A statement about sessions. */
export interface SessionsRead<Row> {
  /** Rows that one session has at most. */
  readonly maxRowsOfSession: number;
  /** Returns the rows of sessions up to the limit. */
  readonly read: (ids: readonly string[], limit: number) => Promise<readonly Row[]>;
}

/**
 * Reads the rows of many sessions in one statement, or, when they are too many or too large for that, in several. All rows of
 * a session are in one array.
 */
export async function* readOfSessions<Row>(
  sessionIds: readonly string[],
  { maxRowsOfSession, read }: SessionsRead<Row>,
): AsyncGenerator<readonly Row[]> {
  const limit = SESSIONS_OF_ANY_SIZE * maxRowsOfSession + 1;
  for (const ids of chunks(sessionIds, SESSIONS_PER_QUERY)) {
    const rows = await readAtOnce(ids, () => read(ids, limit));
    if (rows && rows.length < limit) yield rows;
    else for (const part of chunks(ids, SESSIONS_OF_ANY_SIZE)) yield await read(part, limit);
  }
}

/** Returns undefined when many sessions are together beyond a limit of the engine. */
async function readAtOnce<Row>(
  ids: readonly string[],
  read: () => Promise<readonly Row[]>,
): Promise<readonly Row[] | undefined> {
  try {
    return await read();
  } catch (error) {
    const canBeSplit = ids.length > SESSIONS_OF_ANY_SIZE;
    if (canBeSplit && error instanceof AppError && isOverLimit(error.cause)) return undefined;
    throw error;
  }
}
