import type { AlertTurn, ControlPlane, JobClaim, SavedAlert } from '@assay/control-plane-client';
import { ProjectScopedCollection } from '../shared/project-scoped-collection.js';
import { withAttempt, withWindow } from './advance-alert.js';
import {
  lastEnd,
  mutedUntil,
  nextDue,
  nextEvaluation,
  type Alert,
  type AlertDeps,
} from './alert-document.js';

/** Alerts of a page of candidates; the projects of a data plane may be far behind those of others. */
const CANDIDATES = 100;
const MAX_PAGES = 100;
/** How long a process that has saved nothing keeps an alert; longer than a turn with one call of a receiver. */
const LEASE_MS = 60_000;
/** Messages to send before the lease is extended. */
const MAX_SENT = 4;
/** Windows that are made up. */
const MAX_WINDOWS = 15;
const NOTHING: SavedAlert = { deliveries: [], entered: [], failed: 0, dropped: 0 };

/** Returns what the processes that evaluate alerts use. */
export function alertsForDataPlane(deps: AlertDeps): Pick<ControlPlane, 'claimAlert' | 'saveAlert'> {
  return { claimAlert: makeClaimAlert(deps), saveAlert: makeSaveAlert(deps) };
}

/** Of concurrent claims of an alert one succeeds, and the others take the next. */
function makeClaimAlert({ alerts, now, alertIntervalMs }: AlertDeps): ControlPlane['claimAlert'] {
  return async function claimAlert(claim) {
    const time = now();
    for (let page = 0; page < MAX_PAGES; page++) {
      const candidates = await alerts.list({
        equals: {},
        where: [{ field: 'due', to: time.toISOString() }],
        orderBy: 'due',
        offset: page * CANDIDATES,
        limit: CANDIDATES,
      });
      for (const candidate of candidates) {
        if (!mayClaim(claim, candidate)) continue;
        const leased = { ...candidate, lease_owner: claim.owner, due: leaseEnd(time) };
        if (await alerts.replace(leased))
          return toClaimed(withoutPrefix(candidate), { now: time, alertIntervalMs });
      }
      if (candidates.length < CANDIDATES) return undefined;
    }
    return undefined;
  };
}

function leaseEnd(now: Date): string {
  return new Date(now.getTime() + LEASE_MS).toISOString();
}

function withoutPrefix(alert: Alert): Alert {
  return { ...alert, id: alert.id.slice(alert.project_id.length + 1) };
}

function mayClaim(
  { projectIds, busyProjectIds, mayActFor }: JobClaim,
  { project_id: projectId }: Alert,
): boolean {
  if (busyProjectIds.includes(projectId)) return false;
  if (projectIds.length > 0 && !projectIds.includes(projectId)) return false;
  return mayActFor?.(projectId) ?? true;
}

function toClaimed(alert: Alert, at: { readonly now: Date; readonly alertIntervalMs: number }) {
  const { now, alertIntervalMs } = at;
  const { id, project_id, revision, metric, func, query, part, operator, compare } = alert;
  const { threshold, resolve_threshold, window_minutes, evaluated_end } = alert;
  const last = alert.enabled && alert.is_active ? lastEnd(alert, at) : evaluated_end;
  const due = Math.max(0, Math.floor((last - evaluated_end) / alertIntervalMs));
  const count = Math.min(due, MAX_WINDOWS);
  const ends = Array.from({ length: count }, (_, index) => last - (count - 1 - index) * alertIntervalMs);
  const lateMs = now.getTime() - nextEvaluation(alert, alertIntervalMs);
  return {
    ...{ projectId: project_id, alertId: id, revision, metric, func, query, part, operator, compare },
    ...{ threshold, resolve_threshold, window_minutes, ends, missed: due - count },
    lateMs: count === 0 ? 0 : Math.max(0, lateMs),
  };
}

/** Messages are sent in their order, so that the last one that a receiver gets is about the last state. */
function dueMessages(alert: Alert, now: Date) {
  const { messages } = alert;
  const dueAt = Math.max(messages[0]?.next_at ?? Infinity, mutedUntil(alert));
  if (now.getTime() < dueAt) return [];
  return messages.slice(0, MAX_SENT).map(({ id, body, webhook, email }) => ({
    ...{ id, body, url: webhook?.url ?? '', secret: webhook?.secret ?? null },
    ...(email && { to: email.to }),
  }));
}

function makeSaveAlert({ alerts, now, alertIntervalMs }: AlertDeps): ControlPlane['saveAlert'] {
  return async function saveAlert({ projectId, alertId, owner, revision, windows, missed, releases, sent }) {
    const own = new ProjectScopedCollection(alerts, projectId);
    let saved = NOTHING;
    const updated = await own.update(alertId, (found) => {
      saved = NOTHING;
      const time = now();
      if (found.lease_owner !== owner) return found;
      let alert = sent.reduce((state, attempt) => withAttempt(state, attempt, time), found);
      if (found.revision === revision && found.is_active && found.enabled) {
        const isNew = windows.some(({ end }) => end > found.evaluated_end);
        alert = windows.reduce((state, window) => withWindow(state, window, time), alert);
        if (isNew) alert = { ...alert, missed_windows: alert.missed_windows + missed };
      }
      const deliveries = dueMessages(alert, time);
      saved = { deliveries, ...difference(found, alert, sent) };
      if (deliveries.length > 0) return { ...alert, due: leaseEnd(time) };
      if (!releases) return alert;
      return { ...alert, lease_owner: '', due: nextDue(alert, alertIntervalMs) };
    });
    // A deleted alert was kept for its messages.
    if (updated && !updated.is_active && updated.messages.length === 0) await own.delete(alertId);
    return saved;
  };
}

/** What a turn has changed. */
function difference(before: Alert, after: Alert, sent: AlertTurn['sent']): Omit<SavedAlert, 'deliveries'> {
  const isIn = (messages: Alert['messages'], id: string) => messages.some((message) => message.id === id);
  const tried = sent.filter(({ id }) => isIn(before.messages, id) && !isIn(after.messages, id));
  const givenUp = before.messages.length + after.sequence - before.sequence - after.messages.length;
  const entered = after.history.filter(
    ({ from, to, window_end: end }) => from !== to && Date.parse(end) > before.evaluated_end,
  );
  return {
    entered: entered.map(({ to }) => to),
    failed: tried.filter(({ error }) => error !== null).length,
    dropped: givenUp - tried.length,
  };
}
