import { asCount, asNumber } from './readers.js';
import type { AttributeRule } from './rule.js';

export const USAGE: readonly AttributeRule[] = [
  {
    key: 'llm.token_count.prompt',
    to: 'usage.input',
    read: asCount,
    about: 'Input tokens, including cached ones',
  },
  {
    key: 'llm.token_count.completion',
    to: 'usage.output',
    read: asCount,
    about: 'Output tokens, including reasoning',
  },
  { key: 'llm.token_count.total', to: 'usage.total', read: asCount, about: 'All tokens' },
  {
    key: 'llm.token_count.prompt_details.cache_read',
    to: 'usage.cache_read',
    read: asCount,
    about: 'Input tokens read from a cache',
  },
  {
    key: 'llm.token_count.prompt_details.cache_input',
    to: 'usage.cache_read',
    read: asCount,
    about: 'Alias',
  },
  {
    key: 'llm.token_count.prompt_details.cache_write',
    to: 'usage.cache_write',
    read: asCount,
    about: 'Input tokens written to a cache',
  },
  {
    key: 'llm.token_count.prompt_details.audio',
    to: 'usage_details.audio_input',
    read: asCount,
    about: 'Input tokens of audio',
  },
  {
    key: 'llm.token_count.completion_details.reasoning',
    to: 'usage.reasoning',
    read: asCount,
    about: 'Reasoning tokens',
  },
  {
    key: 'llm.token_count.completion_details.audio',
    to: 'usage_details.audio_output',
    read: asCount,
    about: 'Output tokens of audio',
  },
  { key: 'llm.cost.total', to: 'fact.cost', order: 20, read: asNumber, about: 'Cost in US dollars' },
  {
    key: 'llm.cost.prompt',
    to: 'cost_details.prompt',
    read: asNumber,
    about: 'Cost of the input in US dollars',
  },
  {
    key: 'llm.cost.completion',
    to: 'cost_details.completion',
    read: asNumber,
    about: 'Cost of the output in US dollars',
  },
  { key: 'llm.cost.*', to: 'cost_details.*', group: 'flat', about: 'Other costs in US dollars' },
];
