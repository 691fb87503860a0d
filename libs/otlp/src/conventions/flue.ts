import type { Convention } from './rule.js';

export const flue: Convention = {
  name: 'flue',
  title: 'Flue',
  precedence: 24,
  always: true,
  detectors: ['flue.*'],
  rules: [
    { key: 'flue.tool.*', to: 'fact.tool_evidence', group: 'flat', keep: true, about: 'A tool' },
    {
      key: 'flue.task.*',
      to: 'fact.weak_chain',
      group: 'flat',
      read: () => 'firm',
      keep: true,
      about: 'A step',
    },
  ],
};
