import { Type, type Static } from '@sinclair/typebox';
import { flag, integer, text } from '../../schema/fields.js';
import {
  createdAt,
  idList,
  resourceId,
  resourceName,
  storedWarnings,
  updatedAt,
} from '../../schema/resource-fields.js';
import { filterList } from '../metrics/filter-list.js';

/** Maximum number of events that one request may add or remove. */
const MAX_EVENTS = 10_000;
/** Maximum number of metrics that a queue asks for. */
const MAX_METRICS = 100;

export const queueId = () => resourceId('Id of the queue.');
export const queuePath = Type.Object({ queue_id: queueId() });

export const queueName = () => resourceName('Name of the queue.', 'low scores');
export const queueDescription = () =>
  text('Instructions for annotators.', 'Responses rated 2 or less', { maxLength: 1000 });
export const queueFilters = () =>
  filterList('Filters for new events; all must match. Without filters no event is added automatically.');
export const queueEnabled = () => flag('Whether matching events are added to the queue automatically.', true);
export const annotationsPerItem = () =>
  integer('How many annotators complete each event before it is done; 1 unless set.', 1, {
    minimum: 1,
    maximum: 10,
  });
export const queueMetrics = (description: string) =>
  idList(description, ['65c13dbbd65fb876b7886cdb'], MAX_METRICS, 1);
/** The metrics of a queue, or null for all. */
export const queueMetricsOrNull = (description: string) =>
  Type.Unsafe<string[] | null>({ ...queueMetrics(description), type: ['array', 'null'] });
export const queueEvents = (description: string) =>
  idList(description, ['0b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2e'], MAX_EVENTS);

export const queueResponse = Type.Object(
  {
    id: queueId(),
    name: queueName(),
    description: queueDescription(),
    filters: queueFilters(),
    enabled: queueEnabled(),
    annotations_per_item: annotationsPerItem(),
    metric_ids: Type.Optional(
      queueMetrics('Ids of the HUMAN metrics that annotators score; absent: every HUMAN metric.'),
    ),
    not_decided: integer(
      'How often it was not decided whether an event matches, because the filters need more work than an event may cause.',
      0,
      { minimum: 0 },
    ),
    scope_type: Type.Unsafe<string>({
      type: 'string',
      const: 'project',
      description: 'Scope of the queue.',
      examples: ['project'],
    }),
    scope_id: resourceId('Id of the project.'),
    is_active: flag('Always true: deleted queues are not returned.', true),
    created_at: createdAt(),
    updated_at: updatedAt(),
    warnings: storedWarnings(),
  },
  { $id: 'Queue', description: 'Events for human review.' },
);
export type QueueResponse = Static<typeof queueResponse>;

export const queueEnvelope = Type.Object({
  queue: queueResponse,
  message: text('Description of the change.', 'queue created'),
});
