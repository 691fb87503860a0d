import { asKey, asTags } from './readers.js';
import type { Convention } from './rule.js';

export const opik: Convention = {
  name: 'opik',
  title: 'Opik',
  precedence: 21,
  always: true,
  detectors: ['opik.*'],
  rules: [
    { key: 'opik.tags', to: 'metadata.tags', read: asTags },
    { key: 'opik.thread_id', to: 'fact.session', order: 91, read: asKey },
    { key: 'opik.metadata.*', to: 'metadata.*', group: 'flat' },
  ],
};
