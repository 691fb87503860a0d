import { Type, type Static, type TSchema } from '@sinclair/typebox';
import {
  ALERT_COMPARISONS,
  ALERT_OPERATORS,
  ALERT_STATES,
  CHART_FUNCTIONS,
  NO_DATA_POLICIES,
  type AlertComparison,
  type AlertOperator,
  type AlertState,
  type NoDataPolicy,
} from '@assay/domain';
import { choice, flag, integer, success, text, textOrNull } from '../../schema/fields.js';
import {
  createdAt,
  limitedTextOrNull,
  numberIn,
  numberOrNull,
  resourceId,
  resourceName,
  updatedAt,
} from '../../schema/resource-fields.js';
import { strictFilter } from '../events/filter.js';

const MAX_FILTERS = 50;
const WEBHOOK_FORMATS = ['json', 'slack'] as const;
/** `slack`: a body with `text`, as incoming webhooks of Slack take it. */
export type WebhookFormat = (typeof WEBHOOK_FORMATS)[number];

export const alertId = () => resourceId('Id of the alert.');
export const alertPath = Type.Object({ alert_id: alertId() });
export const alertName = () => resourceName('Name of the alert; it is part of what is sent.', 'Slow answers');

const filters = (description: string) => ({
  description,
  examples: [[{ field: 'event_type', value: 'model', type: 'string', operator: 'is' }]],
  maxItems: MAX_FILTERS,
});

const conditionProperties = {
  description: limitedTextOrNull('Description of the alert.', 'Median above 5 s', { maxLength: 2_000 }),
  metric: text('Value of the events: an event field or a metric name, as in charts.', 'duration', {
    minLength: 1,
    maxLength: 1_000,
  }),
  func: limitedTextOrNull(`Aggregation function: ${CHART_FUNCTIONS.join(', ')}.`, 'p95', { maxLength: 100 }),
  query: Type.Array(strictFilter, filters('Events of the alert; all filters must match.')),
  operator: choice<AlertOperator>(ALERT_OPERATORS, 'On which side of the threshold it fires.', 'above'),
  compare: choice<AlertComparison>(
    ALERT_COMPARISONS,
    'The value of the window, or its change in percent against the window before.',
    'value',
  ),
  threshold: numberIn('Fires beyond this value, or change in percent.', 5_000, {
    minimum: -1e15,
    maximum: 1e15,
  }),
  resolve_threshold: Type.Unsafe<number | null>({
    ...numberOrNull('A firing alert ends when the value is not beyond this; null: the threshold.', 4_000),
    minimum: -1e15,
    maximum: 1e15,
  }),
  window_minutes: integer('Length of the window, in minutes.', 5, { minimum: 1, maximum: 1_440 }),
  delay_seconds: integer('Time from the end of a window to its evaluation, in seconds.', 30, {
    minimum: 0,
    maximum: 3_600,
  }),
  for_windows: integer('Windows in a row that breach before it fires.', 1, { minimum: 1, maximum: 60 }),
  resolve_windows: integer('Windows in a row that are clear before it ends.', 1, { minimum: 1, maximum: 60 }),
  no_data: choice<NoDataPolicy>(
    NO_DATA_POLICIES,
    'What a window without a value means: a state of its own, no breach, a breach, or nothing.',
    'alert',
  ),
  enabled: flag('Whether the alert is evaluated.', true),
};

/** The same without a name, which a schema has only once. */
const { $id: _name, ...namelessFilter } = strictFilter;
export const partFilter = namelessFilter as typeof strictFilter;

const part = () =>
  Type.Unsafe<Static<typeof strictFilter>[] | null>({
    ...Type.Array(
      partFilter,
      filters('The value is the share of the events that these match, too, in percent; null: none.'),
    ),
    type: ['array', 'null'],
  });

const sentWebhook = Type.Object(
  {
    url: text(
      'Where it is sent: https, unless the operator allows the host. Never returned.',
      'https://example.com/hook',
      {
        minLength: 1,
        maxLength: 2_000,
      },
    ),
    format: Type.Optional(
      choice<WebhookFormat>(WEBHOOK_FORMATS, 'Shape of the body; json when absent.', 'json'),
    ),
    secret: Type.Optional(
      limitedTextOrNull('Key of the signature. Never returned.', 'a long random text', {
        minLength: 16,
        maxLength: 200,
      }),
    ),
  },
  { description: 'The receiver.', additionalProperties: false },
);

/** One address of printable ASCII, with a domain. */
const ADDRESS = "^[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}@[A-Za-z0-9-]{1,63}(\\.[A-Za-z0-9-]{1,63}){1,8}$";
const MAX_ADDRESSES = 10;

const recipients = () =>
  Type.Array(text('Address.', 'on-call@example.com', { pattern: ADDRESS, maxLength: 254 }), {
    description: 'Addresses, of domains that the operator of the data plane allows.',
    examples: [['on-call@example.com']],
    minItems: 1,
    maxItems: MAX_ADDRESSES,
    uniqueItems: true,
  });
const sentEmail = Type.Object(
  { to: recipients() },
  { description: 'The receiver, instead of a webhook.', additionalProperties: false },
);

const { threshold, ...otherProperties } = conditionProperties;
export const optionalAlertProperties = {
  ...Type.Partial(Type.Object(otherProperties)).properties,
  part: Type.Optional(part()),
  webhook: Type.Optional(sentWebhook),
  email: Type.Optional(sentEmail),
};
export const requiredAlertProperties = { name: alertName(), threshold };

const webhookResponse = Type.Object(
  {
    host: text('Host of the receiver.', 'example.com'),
    format: choice<WebhookFormat>(WEBHOOK_FORMATS, 'Shape of the body.', 'json'),
    has_secret: flag('Whether what is sent is signed.', true),
  },
  { description: 'The receiver; null when messages are e-mails.' },
);
const emailResponse = Type.Object(
  { to: recipients() },
  { description: 'The receiver; null when messages go to a webhook.' },
);
const orNull = <T extends TSchema>(schema: T) =>
  Type.Unsafe<Static<T> | null>({ ...schema, type: ['object', 'null'] });

export const alertResponse = Type.Object(
  {
    id: alertId(),
    name: alertName(),
    ...conditionProperties,
    part: part(),
    webhook: orNull(webhookResponse),
    email: orNull(emailResponse),
    state: choice<AlertState>(ALERT_STATES, 'State after the last window.', 'ok'),
    last_value: numberOrNull(
      'Last value; null without data, and when redaction keeps it in the data plane.',
      812,
    ),
    evaluated_to: text('End of the last window, ISO 8601.', '2026-11-01T00:00:00.000Z'),
    missed_windows: integer('Windows that were never evaluated, because more than 15 were due.', 0),
    muted_until: textOrNull('Time until which nothing is sent, ISO 8601.', null),
    created_at: createdAt(),
    updated_at: updatedAt(),
  },
  { $id: 'Alert', description: 'A condition that is evaluated every minute, over the last minutes.' },
);
export type AlertResponse = Static<typeof alertResponse>;

export const alertEnvelope = Type.Object({ success: success(), data: alertResponse });
