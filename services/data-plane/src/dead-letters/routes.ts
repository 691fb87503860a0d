import { listDeadLetters, replayDeadLetters } from '@assay/contracts';
import { bind, type Binding } from '@assay/http';
import type { DataPlaneDeps } from '../shared/data-plane-deps.js';
import { makeListDeadLetters, makeReplayDeadLetters } from './dead-letters.js';

export function deadLetterRoutes(deps: Pick<DataPlaneDeps, 'log'>): Binding[] {
  return [
    bind(listDeadLetters, makeListDeadLetters(deps)),
    bind(replayDeadLetters, makeReplayDeadLetters(deps)),
  ];
}
