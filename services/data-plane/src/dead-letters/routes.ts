import {
  deleteDeadLetter,
  deleteDeadLetters,
  getDeadLetter,
  listDeadLetters,
  replayDeadLetters,
} from '@assay/contracts';
import { bind, type Binding } from '@assay/http';
import { makeBindRecorded } from '../shared/bind-recorded.js';
import type { DataPlaneDeps } from '../shared/data-plane-deps.js';
import { makeDeleteDeadLetter, makeDeleteDeadLetters } from './delete-dead-letters.js';
import { makeGetDeadLetter } from './get-dead-letter.js';
import { makeListDeadLetters } from './list-dead-letters.js';
import { makeReplayDeadLetters } from './replay-dead-letters.js';

const KIND = 'dead-letters';

/** Changes run one after the other: each reads the oldest letters and drops them. */
export function deadLetterRoutes(deps: Pick<DataPlaneDeps, 'log' | 'inOrder' | 'controlPlane'>): Binding[] {
  const { log, inOrder } = deps;
  const bindRecorded = makeBindRecorded(deps);
  return [
    bind(listDeadLetters, makeListDeadLetters({ log })),
    bind(getDeadLetter, makeGetDeadLetter({ log })),
    bindRecorded(deleteDeadLetter, makeDeleteDeadLetter({ log, inOrder }), ({ params }) => ({
      action: 'dead_letters.deletion_started',
      subjectId: params.dead_letter_id,
    })),
    bindRecorded(deleteDeadLetters, makeDeleteDeadLetters({ log, inOrder }), () => ({
      action: 'dead_letters.deletion_started',
      subjectId: KIND,
    })),
    bindRecorded(replayDeadLetters, makeReplayDeadLetters({ log, inOrder }), () => ({
      action: 'dead_letters.replay_started',
      subjectId: KIND,
    })),
  ];
}
