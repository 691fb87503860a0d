import {
  deleteDeadLetter,
  deleteDeadLetters,
  getDeadLetter,
  listDeadLetters,
  replayDeadLetters,
} from '@assay/contracts';
import { bind, type Binding } from '@assay/http';
import type { DataPlaneDeps } from '../shared/data-plane-deps.js';
import { makeDeleteDeadLetter, makeDeleteDeadLetters } from './delete-dead-letters.js';
import { makeGetDeadLetter } from './get-dead-letter.js';
import { makeListDeadLetters } from './list-dead-letters.js';
import { makeReplayDeadLetters } from './replay-dead-letters.js';

/** Changes run one after the other: each reads the oldest letters and drops them. */
export function deadLetterRoutes({ log, inOrder }: Pick<DataPlaneDeps, 'log' | 'inOrder'>): Binding[] {
  return [
    bind(listDeadLetters, makeListDeadLetters({ log })),
    bind(getDeadLetter, makeGetDeadLetter({ log })),
    bind(deleteDeadLetter, makeDeleteDeadLetter({ log, inOrder })),
    bind(deleteDeadLetters, makeDeleteDeadLetters({ log, inOrder })),
    bind(replayDeadLetters, makeReplayDeadLetters({ log, inOrder })),
  ];
}
