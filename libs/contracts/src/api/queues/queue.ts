import { Type, type Static } from '@sinclair/typebox';
import { flag, text } from '../../schema/fields.js';
import { createdAt, idList, resourceId, resourceName, updatedAt } from '../../schema/resource-fields.js';
import { filterList } from '../metrics/filter-list.js';

/** Maximum number of events that one request may add or remove. */
const MAX_EVENTS = 10_000;

export const queueId = () => resourceId('Id of the queue.');
export const queuePath = Type.Object({ queue_id: queueId() });

export const queueName = () => resourceName('Name of the queue.', 'low scores');
export const queueDescription = () =>
  text('What people look for in this queue.', 'Answers that were rated 2 or less', { maxLength: 1000 });
export const queueFilters = () =>
  filterList(
    'Which new events come to the queue by themselves; all filters must match, none: no event does.',
  );
export const queueEnabled = () => flag('Whether events come to the queue by themselves.', true);
export const queueEvents = (description: string) =>
  idList(description, ['0b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2e'], MAX_EVENTS);

export const queueResponse = Type.Object(
  {
    id: queueId(),
    name: queueName(),
    description: queueDescription(),
    filters: queueFilters(),
    enabled: queueEnabled(),
    scope_type: Type.Unsafe<string>({
      type: 'string',
      const: 'project',
      description: 'What the queue belongs to.',
      examples: ['project'],
    }),
    scope_id: resourceId('Id of the project.'),
    is_active: flag('Always true: a deleted queue is not answered.', true),
    created_at: createdAt(),
    updated_at: updatedAt(),
  },
  { $id: 'Queue', description: 'Events for people to look at.' },
);
export type QueueResponse = Static<typeof queueResponse>;

export const queueEnvelope = Type.Object({
  queue: queueResponse,
  message: text('What has been done, in a sentence.', 'queue created'),
});
