import { randomUUID } from 'node:crypto';
import type { AlertChange } from '@assay/contracts';
import type { AlertTurn } from '@assay/control-plane-client';
import { afterWindow, INITIAL_ALERT_PROGRESS, type AlertState } from '@assay/domain';
import { mutedUntil, type Alert, type AlertFields } from './alert-document.js';

/** Changes that are kept. */
const MAX_CHANGES = 100;
/** Messages that wait; beyond these the oldest is given up. */
const MAX_MESSAGES = 20;
/** Attempts to deliver a message. The last is more than two hours after the first. */
const MAX_ATTEMPTS = 20;
const FIRST_RETRY_MS = 10_000;
const MAX_RETRY_MS = 600_000;

type Window = AlertTurn['windows'][number];
type Notified = AlertFields['notified'];
/** What a message says. `ended`: the definition was changed or deleted while receivers took it for firing. */
type MessageEvent = 'firing' | 'resolved' | 'no_data' | 'ended' | 'test';

/** Returns the alert after one more window. A window that was evaluated before changes nothing. */
export function withWindow(alert: Alert, { end, outcome, value }: Window, now: Date): Alert {
  if (end <= alert.evaluated_end) return alert;
  const { progress: before } = alert;
  const progress = afterWindow(before, outcome, alert);
  const next = { ...alert, progress, last_value: value, evaluated_end: end };
  const isMuted = now.getTime() < mutedUntil(alert);
  const isNotified = progress.state === 'pending' || progress.state === alert.notified;
  if (progress.state === before.state && (isNotified || isMuted)) return next;
  const change = { from: before.state, to: progress.state, value, now };
  if (isNotified) return noted(next, { ...change, delivery: 'none' });
  if (isMuted) return noted(next, { ...change, delivery: 'muted' });
  return announced(next, change);
}

/** Returns the alert in its first state. Receivers that took it for another one are notified that it ended. */
export function begunAnew(alert: Alert, now: Date): Alert {
  const { state: from } = alert.progress;
  const next = { ...alert, progress: INITIAL_ALERT_PROGRESS, last_value: null };
  const change = { from, to: 'ok', value: null, now } as const;
  if (alert.notified !== 'ok') return announced(next, change, 'ended');
  return from === 'ok' ? next : noted(next, { ...change, delivery: 'none' });
}

interface Change {
  readonly from: AlertState;
  readonly to: AlertState;
  readonly value: number | null;
  readonly now: Date;
}

const EVENTS: Readonly<Record<Notified, MessageEvent>> = {
  ok: 'resolved',
  firing: 'firing',
  no_data: 'no_data',
};

function announced(alert: Alert, change: Change, as?: MessageEvent): Alert {
  const notified: Notified = change.to === 'pending' ? 'ok' : change.to;
  return withMessage({ ...alert, notified }, change, as ?? EVENTS[notified]);
}

/** Returns the alert with a message that changes nothing. */
export function tested(alert: Alert, now: Date): Alert {
  const { state } = alert.progress;
  return withMessage(alert, { from: state, to: state, value: alert.last_value, now }, 'test');
}

function withMessage(alert: Alert, change: Change, event: MessageEvent): Alert {
  const sequence = alert.sequence + 1;
  const id = randomUUID();
  const body = JSON.stringify(bodyOf(alert, { id, sequence, event, ...change }));
  const { webhook, email = null } = alert;
  const message = { id, sequence, webhook, email, body, attempts: 0, next_at: change.now.getTime() };
  const next = { ...alert, sequence, messages: [...alert.messages, message] };
  return withoutExcess(noted(next, { ...change, delivery: 'pending', sequence }));
}

interface Message extends Change {
  readonly id: string;
  readonly sequence: number;
  readonly event: MessageEvent;
}

/** The filters are not part of it: they may name values. */
function bodyOf(alert: Alert, { id, sequence, event, value, now }: Message): object {
  const { metric, func, operator, compare, threshold, window_minutes: minutes, webhook } = alert;
  if (webhook?.format === 'slack') return { text: textOf(alert, event, value) };
  return {
    ...{ id, sequence, event, alert_id: alert.id, alert_name: alert.name, project_id: alert.project_id },
    ...{ metric, func, operator, compare, threshold, window_minutes: minutes, value },
    window_end: new Date(alert.evaluated_end).toISOString(),
    at: now.toISOString(),
  };
}

function textOf(
  { name, metric, operator, threshold, compare }: Alert,
  event: MessageEvent,
  value: number | null,
) {
  const unit = compare === 'change' ? ' %' : '';
  const found = value === null ? '' : ` (${value}${unit})`;
  // Slack reads these three characters as markup.
  const escaped = (text: string) =>
    text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return `[${event}] ${escaped(name)}: ${escaped(metric)} ${operator} ${threshold}${unit}${found}`;
}

function noted(
  alert: Alert,
  {
    now,
    sequence = null,
    ...change
  }: Change & { delivery: AlertChange['delivery']; sequence?: number | null },
): Alert {
  const { from, to, value, delivery } = change;
  const window_end = new Date(alert.evaluated_end).toISOString();
  const entry = { at: now.toISOString(), window_end, from, to, value, sequence, delivery };
  return {
    ...alert,
    history: [...alert.history, { ...entry, attempts: 0, error: null }].slice(-MAX_CHANGES),
  };
}

function withoutExcess(alert: Alert): Alert {
  const [oldest] = alert.messages;
  if (oldest === undefined || alert.messages.length <= MAX_MESSAGES) return alert;
  return withOutcome(alert, oldest.sequence, { delivery: 'dropped', error: 'too many messages wait' });
}

/** Returns the alert after an attempt to send a message. */
export function withAttempt(
  alert: Alert,
  { id, error, final: isFinal }: AlertTurn['sent'][number],
  now: Date,
): Alert {
  const message = alert.messages.find((one) => one.id === id);
  if (message === undefined) return alert;
  const attempts = message.attempts + 1;
  if (error === null) return withOutcome(alert, message.sequence, { delivery: 'delivered', attempts, error });
  if (isFinal || attempts >= MAX_ATTEMPTS)
    return withOutcome(alert, message.sequence, { delivery: 'failed', attempts, error });
  const wait = Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** (attempts - 1));
  const next = { ...message, attempts, next_at: now.getTime() + wait };
  const messages = alert.messages.map((one) => (one === message ? next : one));
  return withEntry({ ...alert, messages }, message.sequence, { attempts, error });
}

function withOutcome(alert: Alert, sequence: number, outcome: Partial<AlertChange>): Alert {
  const messages = alert.messages.filter((one) => one.sequence !== sequence);
  return withEntry({ ...alert, messages }, sequence, outcome);
}

function withEntry(alert: Alert, sequence: number, outcome: Partial<AlertChange>): Alert {
  const history = alert.history.map((entry) =>
    entry.sequence === sequence ? { ...entry, ...outcome } : entry,
  );
  return { ...alert, history };
}
