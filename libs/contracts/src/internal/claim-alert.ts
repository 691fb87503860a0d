import { Type, type Static } from '@sinclair/typebox';
import {
  ALERT_COMPARISONS,
  ALERT_OPERATORS,
  ALERT_STATES,
  ALERT_OUTCOMES,
  type AlertComparison,
  type AlertOperator,
  type AlertState,
  type AlertOutcome,
} from '@assay/domain';
import { partFilter } from '../api/alerts/alert.js';
import { strictFilter } from '../api/events/filter.js';
import { defineRoute } from '../route.js';
import { choice, text } from '../schema/fields.js';
import { numberIn, numberOrNull } from '../schema/resource-fields.js';
import { jobClaim } from './claim-job.js';
import { jobOwner } from './evaluation-job.js';
import { BODY_BYTES, orNull, projectId, readonlyList, wholeNumber } from './fields.js';

const MAX_ITEMS_OF_TURN = 100;

const alertDelivery = Type.Object({
  id: text('Id of the message.', '0b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2e'),
  url: text('Where it is sent; empty for an e-mail.', 'https://example.com/hook', { minLength: 0 }),
  secret: orNull(Type.String({ description: 'Key of the signature; null: not signed.', examples: [null] })),
  body: text('The JSON to send, or of which an e-mail is made.', '{}'),
  to: Type.Optional(
    readonlyList(
      text('Address.', 'on-call@example.com'),
      'Addresses of an e-mail; absent for a webhook.',
      [],
    ),
  ),
});
/** A message to send. */
export type AlertDelivery = Readonly<Static<typeof alertDelivery>>;

const deliveryList = () =>
  readonlyList(alertDelivery, 'Messages to send now.', [], { maxItems: MAX_ITEMS_OF_TURN });
const filterList = (description: string) => readonlyList(strictFilter, description, []);

const claimedAlert = Type.Object(
  {
    projectId: projectId(),
    alertId: text('Id of the alert.', '65c13dbbd65fb876b7886cdb'),
    revision: wholeNumber('Number of the definition.', 1),
    metric: text('Value of the events.', 'duration'),
    func: orNull(Type.String({ description: 'Aggregation function.', examples: ['p95'] })),
    query: filterList('Events of the alert.'),
    part: orNull(
      Type.Array(partFilter, { description: 'Filters of the share; null: none.', examples: [null] }),
    ),
    operator: choice<AlertOperator>(ALERT_OPERATORS, 'Side of the threshold.', 'above'),
    compare: choice<AlertComparison>(ALERT_COMPARISONS, 'What is compared.', 'value'),
    threshold: numberIn('Threshold.', 5_000),
    resolve_threshold: numberOrNull('Threshold that ends it.', 4_000),
    window_minutes: wholeNumber('Length of a window, in minutes.', 5),
    ends: readonlyList(
      wholeNumber('End of a window, Unix milliseconds.', 60_000),
      'Windows to evaluate.',
      [],
      {
        maxItems: MAX_ITEMS_OF_TURN,
      },
    ),
    missed: wholeNumber('Windows that are not made up, because they are too many.', 0),
    lateMs: wholeNumber('How late the first window is, in milliseconds.', 0),
  },
  { description: 'An alert under a lease.' },
);
/** An alert to evaluate, or whose messages to send, under a lease. */
export type ClaimedAlert = Readonly<Static<typeof claimedAlert>>;

export const claimAlert = defineRoute({
  operation: 'claimAlert',
  method: 'POST',
  path: '/internal/v1/alerts/claim',
  owner: 'control-plane',
  access: 'data-plane',
  tag: 'Internal',
  summary: 'Take the alert that is due first, under a lease',
  limits: { maxBodyBytes: BODY_BYTES.idList },
  body: jobClaim,
  response: Type.Object({
    alerts: readonlyList(claimedAlert, 'The alert; empty when none is due.', [], { maxItems: 1 }),
  }),
});

const alertProgress = Type.Object({
  projectId: projectId(),
  alertId: text('Id of the alert.', '65c13dbbd65fb876b7886cdb'),
  owner: jobOwner(),
  revision: wholeNumber('Number of the definition that was evaluated.', 1),
  windows: readonlyList(
    Type.Object(
      {
        end: wholeNumber('End of the window, Unix milliseconds.', 60_000),
        outcome: choice<AlertOutcome>(ALERT_OUTCOMES, 'What the window shows.', 'clear'),
        value: numberOrNull('Value; null without one, and when it must not leave the data plane.', 1),
      },
      { description: 'A window.' },
    ),
    'Evaluated windows.',
    [],
    { maxItems: MAX_ITEMS_OF_TURN },
  ),
  missed: wholeNumber('Windows that are not made up.', 0),
  releases: Type.Boolean({
    description:
      'Whether the lease ends when no message is left; if not, the alert is due when it has run out.',
    examples: [true],
  }),
  sent: readonlyList(
    Type.Object(
      {
        id: text('Id of the message.', '0b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2e'),
        error: orNull(
          Type.String({ description: 'Why it failed; null: delivered.', examples: [null], maxLength: 100 }),
        ),
        final: Type.Boolean({ description: 'Whether no attempt follows.', examples: [false] }),
      },
      { description: 'An attempt.' },
    ),
    'Outcomes of attempts.',
    [],
    { maxItems: MAX_ITEMS_OF_TURN },
  ),
});
/** What a turn of an alert has done. */
export type AlertTurn = Readonly<Static<typeof alertProgress>>;

const savedAlert = Type.Object({
  deliveries: deliveryList(),
  entered: readonlyList(
    choice<AlertState>(ALERT_STATES, 'State.', 'firing'),
    'States that the windows of this turn have led to.',
    [],
  ),
  failed: wholeNumber('Messages that are given up with this turn, after their last attempt.', 0),
  dropped: wholeNumber('Messages that are given up with this turn, because too many wait.', 0),
});
/** What is left to do in a turn: messages to send now, in this order, up to the first that fails. */
export type SavedAlert = Readonly<Static<typeof savedAlert>>;

export const saveAlert = defineRoute({
  operation: 'saveAlert',
  method: 'POST',
  path: '/internal/v1/alerts/save',
  owner: 'control-plane',
  access: 'data-plane',
  tag: 'Internal',
  summary: 'Save the windows and attempts of an alert; the lease ends when no message is left to send',
  limits: { maxBodyBytes: BODY_BYTES.idList },
  body: alertProgress,
  response: savedAlert,
});
