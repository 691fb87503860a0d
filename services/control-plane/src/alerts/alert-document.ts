import type { AlertChange, AlertResponse, WebhookFormat } from '@assay/contracts';
import type { AlertProgress, AlertState } from '@assay/domain';
import type { CollectionSpec, Document, DocumentCollection } from '@assay/document-store';
import type { ProjectOwned } from '../shared/project-scoped-collection.js';

/** Fields of an alert that say when it fires; a change of one begins anew. */
export type AlertDefinition = Omit<
  AlertResponse,
  | 'id'
  | 'name'
  | 'description'
  | 'webhook'
  | 'email'
  | 'state'
  | 'last_value'
  | 'evaluated_to'
  | 'missed_windows'
  | 'muted_until'
  | 'created_at'
  | 'updated_at'
> &
  Receiver;

/** Where messages go: one of both. */
export interface Receiver {
  readonly webhook: Webhook | null;
  /** Absent in documents of former releases. */
  readonly email?: { readonly to: readonly string[] } | null;
}

/** What clients set. */
export interface AlertContent extends AlertDefinition {
  readonly name: string;
  readonly description: string | null;
}

/** The URL and the secret are never returned to clients. */
export interface Webhook {
  readonly url: string;
  readonly format: WebhookFormat;
  readonly secret: string | null;
}

/** A message that is not delivered yet, with the receiver at the time of the change. */
export interface PendingMessage extends Receiver {
  readonly id: string;
  readonly sequence: number;
  readonly body: string;
  readonly attempts: number;
  /** Unix milliseconds. */
  readonly next_at: number;
}

/** State of an alert. One document has everything, so that a window and its messages are saved together. */
export interface AlertFields extends ProjectOwned, AlertContent {
  /** False: deleted, and only here for messages that say so. */
  readonly is_active: boolean;
  readonly revision: number;
  readonly progress: AlertProgress;
  /** State that receivers were notified last. */
  readonly notified: Exclude<AlertState, 'pending'>;
  readonly sequence: number;
  readonly last_value: number | null;
  /** End of the last window, Unix milliseconds. */
  readonly evaluated_end: number;
  readonly missed_windows: number;
  readonly muted_until: string | null;
  /** Newest last. */
  readonly history: readonly AlertChange[];
  readonly messages: readonly PendingMessage[];
  /** The process that evaluates it; empty for none. */
  readonly lease_owner: string;
  /** When something is to be done next, or the lease ends: ISO 8601. */
  readonly due: string;
  readonly created_at: string;
  readonly updated_at: string;
}
export type Alert = Document<AlertFields>;
export type AlertCollection = DocumentCollection<AlertFields>;

export interface AlertDeps {
  readonly alerts: AlertCollection;
  readonly now: () => Date;
  /** Time between the evaluations of an alert, in milliseconds. */
  readonly alertIntervalMs: number;
}

export const ALERT_COLLECTION: CollectionSpec = {
  name: 'alerts',
  unique: [],
  indexes: [['project_id', 'is_active', 'created_at'], ['due']],
};

/** Alerts of a project. */
export const MAX_ALERTS = 100;
/** After every time that a clock has. */
const NEVER = '9999-12-31T23:59:59.999Z';

/** Returns the end of the last window that can be evaluated at a time, Unix milliseconds. */
export function lastEnd(
  { delay_seconds: delay }: Pick<AlertDefinition, 'delay_seconds'>,
  { now, alertIntervalMs }: { readonly now: Date; readonly alertIntervalMs: number },
): number {
  return Math.floor((now.getTime() - delay * 1_000) / alertIntervalMs) * alertIntervalMs;
}

/** Returns when the window after the last one can be evaluated, Unix milliseconds. */
export function nextEvaluation(
  { evaluated_end: last, delay_seconds: delay }: AlertFields,
  alertIntervalMs: number,
): number {
  return last + alertIntervalMs + delay * 1_000;
}

/** Returns when something is to be done next with an alert that no process has. */
export function nextDue(alert: AlertFields, alertIntervalMs: number): string {
  const { enabled, is_active: isActive, messages } = alert;
  const times: number[] = [];
  if (messages[0] !== undefined) times.push(Math.max(messages[0].next_at, mutedUntil(alert)));
  if (enabled && isActive) times.push(nextEvaluation(alert, alertIntervalMs));
  return times.length === 0 ? NEVER : new Date(Math.min(...times)).toISOString();
}

/** Returns the end of the time without messages, Unix milliseconds; 0 without one. A deleted alert is not mute: it has one last message. */
export function mutedUntil({ muted_until: end, is_active: isActive }: AlertFields): number {
  return end === null || !isActive ? 0 : Date.parse(end);
}

export function toAlertResponse(alert: Alert): AlertResponse {
  const { id, name, description, metric, func, query, part, operator, compare, threshold } = alert;
  const { resolve_threshold, window_minutes, delay_seconds, for_windows, resolve_windows, no_data } = alert;
  const {
    enabled,
    webhook,
    email,
    progress,
    last_value,
    missed_windows,
    muted_until,
    created_at,
    updated_at,
  } = alert;
  return {
    ...{ id, name, description, metric, func, query, part, operator, compare, threshold, resolve_threshold },
    ...{ window_minutes, delay_seconds, for_windows, resolve_windows, no_data, enabled },
    webhook: webhook && {
      host: new URL(webhook.url).host,
      format: webhook.format,
      has_secret: webhook.secret !== null,
    },
    email: email ? { to: [...email.to] } : null,
    state: progress.state,
    evaluated_to: new Date(alert.evaluated_end).toISOString(),
    ...{ last_value, missed_windows, muted_until, created_at, updated_at },
  };
}
