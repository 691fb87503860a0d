import { asParsed, asText } from './readers.js';
import type { Convention } from './rule.js';

export const crewAi: Convention = {
  name: 'crewai',
  title: 'CrewAI',
  precedence: 22,
  always: true,
  detectors: ['gen_ai.task.*'],
  rules: [
    { key: 'gen_ai.task.input', to: 'fact.input', read: asParsed },
    { key: 'gen_ai.task.output', to: 'fact.output', read: asParsed },
    { key: 'gen_ai.task.id', to: 'metadata.task_id', read: asText },
    { key: 'gen_ai.task.name', to: 'metadata.task_name', read: asText },
    { key: 'gen_ai.task.status', to: 'metadata.task_status', read: asText },
    { key: 'gen_ai.task.kind', to: 'metadata.task_kind', read: asText },
  ],
};
