import { asCount, asNumber } from './readers.js';
import type { AttributeRule } from './rule.js';

export const USAGE: readonly AttributeRule[] = [
  {
    key: 'llm.token_count.prompt',
    to: 'usage.input',
    read: asCount,
  },
  {
    key: 'llm.token_count.completion',
    to: 'usage.output',
    read: asCount,
  },
  { key: 'llm.token_count.total', to: 'usage.total', read: asCount },
  {
    key: 'llm.token_count.prompt_details.cache_read',
    to: 'usage.cache_read',
    read: asCount,
  },
  {
    key: 'llm.token_count.prompt_details.cache_input',
    to: 'usage.cache_read',
    read: asCount,
  },
  {
    key: 'llm.token_count.prompt_details.cache_write',
    to: 'usage.cache_write',
    read: asCount,
  },
  {
    key: 'llm.token_count.prompt_details.audio',
    to: 'usage_details.audio_input',
    read: asCount,
  },
  {
    key: 'llm.token_count.completion_details.reasoning',
    to: 'usage.reasoning',
    read: asCount,
  },
  {
    key: 'llm.token_count.completion_details.audio',
    to: 'usage_details.audio_output',
    read: asCount,
  },
  { key: 'llm.cost.total', to: 'fact.cost', order: 20, read: asNumber },
  {
    key: 'llm.cost.prompt',
    to: 'cost_details.prompt',
    read: asNumber,
  },
  {
    key: 'llm.cost.completion',
    to: 'cost_details.completion',
    read: asNumber,
  },
  { key: 'llm.cost.*', to: 'cost_details.*', group: 'flat' },
];
