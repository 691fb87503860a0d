import type { CreateAlertRequest, UpdateAlertRequest } from '@assay/contracts';
import { checkChartMeasure, checkChartPaths, checkStoredFilters } from '@assay/domain';
import { validationError } from '@assay/errors';
import type { AlertContent, Receiver, Webhook } from './alert-document.js';

const DEFAULTS: Omit<AlertContent, 'name' | 'threshold' | keyof Receiver> = {
  description: null,
  metric: 'duration',
  func: null,
  query: [],
  part: null,
  operator: 'above',
  compare: 'value',
  resolve_threshold: null,
  window_minutes: 5,
  delay_seconds: 30,
  for_windows: 1,
  resolve_windows: 1,
  no_data: 'alert',
  enabled: true,
};

/** Returns the content of a new alert. @throws AppError `VALIDATION_ERROR` */
export function newContent(body: CreateAlertRequest): AlertContent {
  const receiver = acceptReceiver(body);
  if (receiver === undefined) throw validationError(ONE_RECEIVER);
  return checked({ ...DEFAULTS, ...body, ...receiver });
}

/** Returns the content with the given fields replaced. @throws AppError `VALIDATION_ERROR` */
export function changedContent(content: AlertContent, changes: UpdateAlertRequest): AlertContent {
  return checked({ ...content, ...changes, ...(acceptReceiver(changes) ?? receiverOf(content)) });
}

/** Only declared fields reach the document. */
function checked(given: AlertContent): AlertContent {
  const { name, description, metric, func, query, part, operator, compare, threshold } = given;
  const { resolve_threshold, window_minutes, delay_seconds, for_windows, resolve_windows, no_data } = given;
  const { enabled } = given;
  checkChartMeasure({ metric, func });
  checkChartPaths({ metric });
  checkStoredFilters(query, 'query');
  if (part !== null) checkStoredFilters(part, 'part');
  if (resolve_threshold !== null && isBeyond(operator, resolve_threshold, threshold))
    throw validationError(`resolve_threshold must not be ${operator} the threshold`);
  return {
    ...{ name, description, metric, func, query, part, operator, compare, threshold, resolve_threshold },
    ...{ window_minutes, delay_seconds, for_windows, resolve_windows, no_data, enabled },
    ...receiverOf(given),
  };
}

function isBeyond(operator: AlertContent['operator'], value: number, bound: number): boolean {
  return operator === 'above' ? value > bound : value < bound;
}

const ONE_RECEIVER = 'exactly one of webhook and email is needed';

/** Returns undefined when the request names none. @throws AppError when it names two */
function acceptReceiver({ webhook, email }: UpdateAlertRequest): Receiver | undefined {
  if (webhook && email) throw validationError(ONE_RECEIVER);
  if (webhook) return { webhook: acceptWebhook(webhook), email: null };
  return email && { webhook: null, email: { to: email.to } };
}

function receiverOf({ webhook, email = null }: Receiver): Receiver {
  return { webhook, email };
}

function acceptWebhook({
  url,
  format = 'json',
  secret = null,
}: NonNullable<CreateAlertRequest['webhook']>): Webhook {
  if (!URL.canParse(url)) throw validationError('webhook.url must be a URL');
  const { protocol, username, password } = new URL(url);
  if (protocol !== 'https:' && protocol !== 'http:')
    throw validationError(
      'webhook.url must be a URL of https, or of http for hosts that the operator allows',
    );
  if (username !== '' || password !== '') throw validationError('webhook.url must not contain credentials');
  return { url, format, secret };
}
