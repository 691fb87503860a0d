import { Type, type Static } from '@sinclair/typebox';
import { defineRoute } from '../../route.js';
import {
  choice,
  flag,
  integer,
  listOf,
  openObject,
  text,
  textList,
  textOrNull,
} from '../../schema/fields.js';
import { ingestUsage } from '../../schema/ingest-limits.js';

const amount = (description: string, example: number) => integer(description, example, { minimum: 0 });
const amountOrNull = (description: string, example: number) =>
  Type.Unsafe<number | null>({ type: ['number', 'null'], minimum: 0, description, examples: [example] });

const STAGES = ['accepted', 'stored', 'evaluated', 'forwarded'] as const;
const SCOPES = ['project', 'installation'] as const;
const TIME = '2026-11-01T00:00:00.000Z';

const stage = Type.Object(
  {
    name: choice(STAGES, 'Name of the stage.', 'stored'),
    scope: choice(
      SCOPES,
      'What the counts are of: the project of the key, or all projects where only the positions of the log are known.',
      'project',
    ),
    last_5_minutes: amount('Records of the last 5 minutes: events, updates, deletes and scores.', 120),
    last_hour: amount('Records of the last hour.', 4800),
    total: amount(
      'Records since they are counted, which may begin again with a start. Another number than before means that there is something new.',
      918_273,
    ),
    lag_records: amountOrNull('Records of all projects that wait for the stage; null: none can.', 0),
    lag_seconds: amountOrNull('Age of the oldest of them, exact to 5 s; null: none can wait.', 0),
  },
  { description: 'What a stage has done.' },
);

/** State of the Python sandbox, as the process that has it reports it. */
export const pythonSandbox = Type.Object(
  {
    available: flag('Whether metrics of type PYTHON are evaluated, as far as this is known.', true),
    reason: textOrNull('Why they are not; null: they are.', null),
  },
  { description: 'The sandbox of metrics of type PYTHON.' },
);

const PROVIDER_STATES = ['available', 'failing', 'paused'] as const;

/** State of a model provider, as the process that calls it reports it. */
export const modelProvider = Type.Object(
  {
    name: text(
      'Name of a configured provider; `proxy`: all others, of which the worst state is shown.',
      'openai',
    ),
    state: choice(PROVIDER_STATES, 'Whether the last calls succeeded, failed, or are paused.', 'available'),
    paused_until: textOrNull('When it is called again, ISO 8601; null unless it is paused.', null),
  },
  { description: 'A model provider.' },
);

const storeSize = Type.Object(
  {
    bytes: amount('Bytes on disk, of all projects, when they were last read.', 1_048_576),
    max_bytes: amount('Bytes above which the oldest events are dropped.', 104_857_600),
    dropped_events: amount('Events of the project that were dropped since the start of the process.', 0),
    dropped_before: textOrNull(
      'Events that start before it were dropped since then, ISO 8601; null: none were.',
      null,
    ),
  },
  {
    description: 'Size of the event store.',
    examples: [{ bytes: 1_048_576, max_bytes: 104_857_600, dropped_events: 0, dropped_before: null }],
  },
);

export const status = Type.Object(
  {
    version: text('Version of Assay.', '0.1.0'),
    plane: choice(['standalone', 'data-plane'] as const, 'The process that responds.', 'standalone'),
    now: text('Clock of the process, ISO 8601.', TIME),
    since: textOrNull(
      'Start of the counts if that is less than an hour ago, ISO 8601; null: not known.',
      TIME,
    ),
    queryable_until: textOrNull(
      'Everything that was accepted before this time is found by queries, ISO 8601; null: not known.',
      TIME,
    ),
    redaction: Type.Object(
      {
        redact_values: flag('Whether values of inputs and outputs are removed before forwarding.', false),
        redact_names: flag('Whether names of events, sessions and sources are replaced by tokens.', false),
        redact_numbers: flag('Whether numbers under unknown names are removed.', false),
        redact_fields: textList('Further fields that are removed.', ['metadata.user']),
      },
      { description: 'What the control plane does not receive.' },
    ),
    object_export: flag(
      'Whether there is an object store to which projects can be exported every hour.',
      false,
    ),
    limits: openObject('Limits of the process by name.', { max_body_bytes: 52_428_800 }),
    ingest_limits: Type.Object(
      { project: ingestUsage('project'), key: ingestUsage('key') },
      { description: 'How much the project and the key of the request may send.' },
    ),
    store: Type.Unsafe<Static<typeof storeSize> | null>({
      ...storeSize,
      type: ['object', 'null'],
      description: 'Size of the event store where `MAX_STORE_BYTES` limits it; null: nothing does.',
    }),
    stages: listOf(stage, 'The stages that this installation has, as far as the process knows.'),
    python: Type.Unsafe<Static<typeof pythonSandbox> | null>({
      ...pythonSandbox,
      type: ['object', 'null'],
      description: 'The sandbox of metrics of type PYTHON; null: not known, see `evaluator_reason`.',
      examples: [{ available: true, reason: null }],
    }),
    providers: Type.Unsafe<string[] | null>({
      type: ['array', 'null'],
      items: { type: 'string' },
      description: 'Names of the configured model providers; null: not known, see `evaluator_reason`.',
      examples: [['openai']],
    }),
    provider_states: Type.Unsafe<Static<typeof modelProvider>[] | null>({
      type: ['array', 'null'],
      items: modelProvider,
      description:
        'State of the configured model providers for the calls of the project; null: not known. Endpoints of the project itself are listed while they fail.',
      examples: [[{ name: 'openai', state: 'available', paused_until: null }]],
    }),
    evaluator_reason: textOrNull('Why `python` and `providers` are null; null: they are known.', null),
  },
  { $id: 'Status', description: 'State of the installation, from the view of a project.' },
);
export type StatusResponse = Static<typeof status>;

export const getStatus = defineRoute({
  operation: 'getStatus',
  method: 'GET',
  path: '/v1/status',
  owner: 'data-plane',
  access: 'project',
  console: true,
  tag: 'Usage',
  summary: 'Get version, limits, and what was accepted, stored, evaluated and forwarded lately',
  response: status,
});
