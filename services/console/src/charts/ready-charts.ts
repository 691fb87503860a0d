import { parseFilter } from '../url/filters.js';
import type { Definition } from './definition.js';

/** A chart that most projects want. It is offered, and saved by who wants it. */
export interface ReadyChart {
  readonly name: string;
  readonly definition: Definition;
}

const DAILY = { func: 'sum', bucket: 'day' } as const;
const OF_MODELS = [parseFilter('event_type:is:model')];
const OF_SESSIONS = [parseFilter('event_type:is:session')];

export const READY_CHARTS: readonly ReadyChart[] = [
  {
    name: 'Cost by model and day',
    definition: { ...DAILY, metric: 'metadata.cost', group: 'config.model', filters: OF_MODELS },
  },
  {
    name: 'Tokens by model and day',
    definition: { ...DAILY, metric: 'metadata.total_tokens', group: 'config.model', filters: OF_MODELS },
  },
  {
    name: 'Cost by user and day',
    definition: { ...DAILY, metric: 'metadata.cost', group: 'user_properties.user_id', filters: OF_SESSIONS },
  },
];
