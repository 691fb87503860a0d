import { Type, type Static, type TProperties } from '@sinclair/typebox';
import { DOCUMENT_KINDS, RUN_STATUSES, type DocumentKind, type RunStatus } from '@assay/domain';
import { choice, flag, integer, openObject, text, textList, textOrNull } from '../../schema/fields.js';
import { createdAt, objectList, objectOrNull, resourceId, updatedAt } from '../../schema/resource-fields.js';
import { chartResponse } from '../charts/chart.js';
import { configurationResponse } from '../configurations/configuration.js';
import { definitionProperties, metricId } from '../metrics/metric.js';
import { versionMessage } from '../metrics/metric-version.js';
import { queueResponse } from '../queues/queue.js';
import { runId } from '../runs/run.js';

const TIME = '2026-11-01T00:00:00.000Z';
const EVENT = '0b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2e';
const count = (description: string) => integer(description, 1, { minimum: 0 });
const position = () => text('Sort key within the list.', '2026-11-01T00:00:00.000Z-0001');
const times = { created_at: createdAt(), updated_at: updatedAt() };
const change = {
  created_at: createdAt(),
  added: count('Datapoints that the change added.'),
  removed: count('Datapoints that the change removed.'),
  changed: count('Datapoints whose content the change replaced.'),
  datapoints: count('Datapoints after the change.'),
};
const newestVersion = Type.Object(
  { ...change, version: count('Number of the version.') },
  { description: 'The newest version.', additionalProperties: false },
);

const { filters, ...definition } = definitionProperties;
const metricDefinition = { ...definition, filters };
const { is_active: _active, warnings: _ofChart, ...chart } = chartResponse.properties;
const { annotations_per_item, metric_ids: _ids, not_decided, ...queue } = queueResponse.properties;
const { scope_type: _type, scope_id: _scope, warnings: _ofQueue, ...queueFields } = queue;

/** Fields of the documents of each kind, without the project. Ids and times are kept. */
const FIELDS = {
  datapoints: {
    id: resourceId('Id of the datapoint.'),
    inputs: openObject('Inputs.', { question: 'What is the capital of France?' }),
    history: objectList('Preceding messages.', []),
    ground_truth: objectOrNull('Expected output.', { answer: 'Paris' }),
    metadata: objectOrNull('Metadata.', null),
    linked_event: textOrNull('Id of the source event.', null),
    ...times,
  },
  dataset_members: {
    id: text('Id of the membership.', 'l1:=d1', { minLength: 1, maxLength: 450 }),
    dataset_id: resourceId('Id of the dataset.'),
    list_id: resourceId('Id of the list.'),
    datapoint_id: resourceId('Id of the datapoint.'),
    position: position(),
  },
  dataset_versions: {
    id: text('Id of the version.', 'd1:1', { minLength: 1, maxLength: 300 }),
    dataset_id: resourceId('Id of the dataset.'),
    number: count('Number of the version.'),
    ...change,
  },
  datasets: {
    id: resourceId('Id of the dataset.'),
    name: text('Name.', 'golden questions', { maxLength: 200 }),
    description: text('Description.', ''),
    list_id: resourceId('Id of the list of members.'),
    newest_version: Type.Optional(newestVersion),
    ...times,
  },
  metric_versions: {
    id: resourceId('Id of the version.'),
    metric_id: metricId(),
    full_sha: text('Hash of the content.', '9f86d081'),
    message: versionMessage(),
    date: text('Time of creation, ISO 8601.', TIME),
    content: Type.Object(metricDefinition, { description: 'The definition.', additionalProperties: false }),
  },
  metrics: {
    id: metricId(),
    ...metricDefinition,
    is_active: flag('False once the metric is deleted.', true),
    version_ids: textList('Ids of the versions, oldest first.', ['v-1']),
    deployed: text('Name of the deployed version.', 'v1'),
    ...times,
  },
  configurations: {
    ...configurationResponse.properties,
    env_key: text('Derived from env.', ',"prod",'),
    tags_key: text('Derived from tags.', ',"support",'),
  },
  charts: chart,
  runs: {
    id: runId(),
    run_id: runId(),
    name: textOrNull('Name.', 'prompt v2'),
    description: textOrNull('Description.', null),
    status: choice<RunStatus>(RUN_STATUSES, 'Status.', 'completed'),
    metadata: openObject('Metadata.', {}),
    results: openObject('Results computed by the client.', {}),
    configuration: openObject('Tested configuration.', {}),
    event_ids: textList('Ids of the sessions.', [EVENT]),
    dataset_id: textOrNull('Id of the dataset.', null),
    name_key: text('Derived from the name.', 'prompt v2'),
    dataset_key: textOrNull('Derived from the dataset.', null),
    dataset_version: Type.Optional(
      Type.Unsafe<number | null>({
        type: ['integer', 'null'],
        description: 'Version of the dataset when it became that of the run.',
        examples: [3],
      }),
    ),
    ...times,
  },
  queue_entries: {
    id: text('Id of the entry.', `q1:${EVENT}`, { minLength: 1, maxLength: 450 }),
    queue_id: resourceId('Id of the queue.'),
    event_id: resourceId('Id of the event.', EVENT),
    added_at: text('When it was added, ISO 8601.', TIME),
    position: position(),
    is_removed: flag('Whether it was removed by request.', false),
    done_at: textOrNull('When it was done or skipped, ISO 8601.', null),
    done_by: textOrNull('Id of the key that marked it.', null),
    is_done: flag('Whether it is done or skipped.', false),
    closed_as: Type.Optional(textOrNull('`skipped`, or null.', null)),
    annotator: Type.Optional(textOrNull('Who has marked it.', 'anna')),
    annotators: Type.Optional(textList('Who has completed it.', ['anna'])),
    revision: Type.Optional(count('Number of changes of the state.')),
  },
  queues: {
    ...queueFields,
    annotations_per_item: Type.Optional(annotations_per_item),
    metric_ids: Type.Optional(
      Type.Unsafe<string[] | null>({
        type: ['array', 'null'],
        items: { type: 'string' },
        description: 'Ids of the metrics that annotators score; null: all.',
        examples: [null],
      }),
    ),
    not_decided: Type.Optional(not_decided),
    routes_from: text('Start of automatic routing, ISO 8601.', TIME),
  },
} satisfies Record<DocumentKind, TProperties>;

/** Schemas of the documents that move, by kind. Strict: a field of a later release is refused. */
export const DOCUMENT_SCHEMAS = Object.fromEntries(
  DOCUMENT_KINDS.map((kind) => [
    kind,
    Type.Object(FIELDS[kind] as TProperties, {
      description: `A document of the kind ${kind}.`,
      additionalProperties: false,
    }),
  ]),
) as unknown as Readonly<Record<DocumentKind, ReturnType<typeof Type.Object>>>;

/** A document of any kind, in the form that moves. */
export type MovedDocument = Static<typeof movedDocument>;
export const movedDocument = Type.Unsafe<{ readonly id: string } & Record<string, unknown>>({
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'string', description: 'Id of the document.', examples: ['d1'] } },
  description: 'A document with its id and times, without its project.',
  examples: [{ id: 'd1' }],
});

export const documentKind = () => choice(DOCUMENT_KINDS, 'Kind of the documents.', 'datasets');
