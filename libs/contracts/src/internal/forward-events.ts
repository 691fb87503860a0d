import { Type, type Static } from '@sinclair/typebox';
import { EVENT_TYPES, type EventOrigin, type EventType } from '@assay/domain';
import { defineRoute } from '../route.js';
import { sessionSummary } from '../api/sessions/session-summary.js';
import { choice, flag, openObject, text, textList, textOrNull, uuid } from '../schema/fields.js';
import { numberIn } from '../schema/resource-fields.js';
import {
  BODY_BYTES,
  MAX_CONCURRENT_BATCHES,
  orNull,
  readonlyList,
  textItems,
  wholeNumber,
} from './fields.js';

const ID_LIMITS = { minLength: 1, maxLength: 200 };
const EVENT_ID = '0b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2e';
const ORIGINS: readonly EventOrigin[] = ['sent', 'synthesised'];

const projectId = () => text('Id of the project.', '65c13dbbd65fb876b7886cdb', ID_LIMITS);
const bucket = () => openObject('An open object of the event.', {});
const version = () =>
  wholeNumber('Position in the log of the newest record in it: of two, the higher version is the newer.', 42);

/** A complete event as it may leave the data plane. */
const redactedEvent = Type.Object(
  {
    project_id: projectId(),
    event_id: uuid('Id of the event.'),
    session_id: uuid('Id of the session.'),
    parent_id: textOrNull('Id of the parent event; null for a session.', EVENT_ID),
    children_ids: textList('Ids of children that the sender named.', [EVENT_ID]),
    event_type: choice<EventType>(EVENT_TYPES, 'Kind of step.', 'model'),
    event_name: text('Name of the step.', 'answer_question'),
    source: text('Where the event comes from.', 'prod'),
    start_time: numberIn('When the step began, Unix milliseconds.', 1795255200000),
    end_time: orNull(numberIn('When the step ended, Unix milliseconds; null while unknown.', 1795255200250)),
    duration: orNull(numberIn('How long the step took, milliseconds; null while unknown.', 250)),
    error: textOrNull('Text of the error that ended the step.', null),
    inputs: bucket(),
    outputs: bucket(),
    config: bucket(),
    metadata: bucket(),
    metrics: bucket(),
    feedback: bucket(),
    user_properties: bucket(),
    origin: choice<EventOrigin>(ORIGINS, 'Whether a client sent the event.', 'sent'),
  },
  { description: 'The event, redacted.' },
);

const changedEvent = Type.Object(
  {
    kind: choice<'event'>(['event'], 'An event that was created or changed.', 'event'),
    version: version(),
    arrivedAt: wholeNumber('When the newest record was accepted, Unix milliseconds.', 1795255200250),
    event: redactedEvent,
  },
  { description: 'An event that was created or changed.' },
);

const deletedEvent = Type.Object(
  {
    kind: choice<'delete'>(['delete'], 'An event that was deleted.', 'delete'),
    version: version(),
    projectId: projectId(),
    eventId: uuid('Id of the event.'),
    isMoved: Type.Optional(
      flag('True for a synthesised session whose events were moved to another session.', true),
    ),
    memberIds: Type.Optional(
      textItems('Ids of events that were deleted with it, when it is a session.', [EVENT_ID]),
    ),
  },
  { description: 'An event that was deleted.' },
);

const summarisedSession = Type.Object(
  {
    kind: choice<'session'>(['session'], 'A session whose events have changed.', 'session'),
    projectId: projectId(),
    watermark: Type.String({
      description:
        'Decimal number that grows with every change of the session: of two, the greater is the newer.',
      examples: ['42'],
      pattern: '^[0-9]{1,40}$',
    }),
    isListed: flag(
      'False while the session has no event of its own, and when all its events were moved away.',
      true,
    ),
    summary: sessionSummary,
  },
  { description: 'A session whose events have changed.' },
);

/** Checked by its `kind`, so that the check costs no more than that of one kind, and a failure names the wrong field. */
const forwardedEvent = Type.Unsafe<
  Static<typeof changedEvent> | Static<typeof deletedEvent> | Static<typeof summarisedSession>
>({
  type: 'object',
  description: 'The state of one event or session.',
  discriminator: { propertyName: 'kind' },
  oneOf: [changedEvent, deletedEvent, summarisedSession],
});
export type WireForwardedEvent = Static<typeof forwardedEvent>;

export const forwardEvents = defineRoute({
  operation: 'forwardEvents',
  method: 'POST',
  path: '/internal/v1/events',
  owner: 'control-plane',
  access: 'data-plane',
  tag: 'Internal',
  summary: 'Store the newest state of events and sessions; answers with their number once they are stored',
  limits: { maxBodyBytes: BODY_BYTES.batch, maxConcurrent: MAX_CONCURRENT_BATCHES },
  body: Type.Object({ events: readonlyList(forwardedEvent, 'The events and sessions, redacted.', []) }),
  response: Type.Object({ kept: wholeNumber('Number of the events.', 500) }),
});
