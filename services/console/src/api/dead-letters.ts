import type {
  deleteDeadLetters,
  DeadLetterResponse,
  listDeadLetters,
  replayDeadLetters,
  ResponseOf,
} from '@assay/contracts';
import { callAsAdministrator } from './administration.js';

export type DeadLetter = DeadLetterResponse;

const PATH = '/v1/dead-letters';
/** Letters of one page. */
const LIMIT = 100;

export const deadLetters = (cursor?: string, signal?: AbortSignal) =>
  callAsAdministrator<ResponseOf<typeof listDeadLetters>>({
    ...{ method: 'GET', path: PATH, query: { limit: LIMIT, cursor }, signal },
  });

/** Appends the records to the log again, so that the reader that failed meets them anew. */
export const replay = (ids: readonly string[]) =>
  callAsAdministrator<ResponseOf<typeof replayDeadLetters>>({
    ...{ method: 'POST', path: `${PATH}/replay`, body: { ids } },
  });

export const remove = (ids: readonly string[]) =>
  callAsAdministrator<ResponseOf<typeof deleteDeadLetters>>({
    ...{ method: 'POST', path: `${PATH}/delete`, body: { ids } },
  });
