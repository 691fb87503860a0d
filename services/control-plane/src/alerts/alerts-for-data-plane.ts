import type { ControlPlane, JobClaim } from '@assay/control-plane-client';
import { ProjectScopedCollection } from '../shared/project-scoped-collection.js';
import { withAttempt, withWindow } from './advance-alert.js';
import { lastMinute, MINUTE_MS, nextDue, type Alert, type AlertDeps } from './alert-document.js';

/** Alerts of a page of candidates; the projects of a data plane may be far behind those of others. */
const CANDIDATES = 100;
const MAX_PAGES = 100;
/** How long a process that has saved nothing keeps an alert; longer than a turn with one call of a receiver. */
const LEASE_MS = 60_000;
/** Messages to send before the lease is extended. */
const MAX_SENT = 4;
/** Minutes that are made up. */
const MAX_MINUTES = 15;

/** Returns what the processes that evaluate alerts use. */
export function alertsForDataPlane(deps: AlertDeps): Pick<ControlPlane, 'claimAlert' | 'saveAlert'> {
  return { claimAlert: makeClaimAlert(deps), saveAlert: makeSaveAlert(deps) };
}

/** Of concurrent claims of an alert one succeeds, and the others take the next. */
function makeClaimAlert({ alerts, now }: AlertDeps): ControlPlane['claimAlert'] {
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
        if (await alerts.replace(leased)) return toClaimed(withoutPrefix(candidate), time);
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

function toClaimed(alert: Alert, now: Date) {
  const { id, project_id, revision, metric, func, query, part, operator, compare } = alert;
  const { threshold, resolve_threshold, window_minutes, evaluated_minute, delay_seconds } = alert;
  const last = alert.enabled && alert.is_active ? lastMinute(alert, now) : evaluated_minute;
  const due = Math.max(0, (last - evaluated_minute) / MINUTE_MS);
  const count = Math.min(due, MAX_MINUTES);
  const minutes = Array.from({ length: count }, (_, index) => last - (count - 1 - index) * MINUTE_MS);
  const dueAt = evaluated_minute + MINUTE_MS + delay_seconds * 1_000;
  return {
    ...{ projectId: project_id, alertId: id, revision, metric, func, query, part, operator, compare },
    ...{ threshold, resolve_threshold, window_minutes, minutes, missed: due - count },
    lateMs: count === 0 ? 0 : Math.max(0, now.getTime() - dueAt),
    deliveries: dueMessages(alert, now),
  };
}

function dueMessages({ messages }: Alert, now: Date) {
  return messages
    .filter(({ next_at: nextAt }) => nextAt <= now.getTime())
    .slice(0, MAX_SENT)
    .map(({ id, body, webhook: { url, secret } }) => ({ id, url, secret, body }));
}

function makeSaveAlert({ alerts, now }: AlertDeps): ControlPlane['saveAlert'] {
  return async function saveAlert({ projectId, alertId, owner, revision, windows, missed, sent }) {
    const own = new ProjectScopedCollection(alerts, projectId);
    const nothing = { deliveries: [], failed: 0 };
    let saved = nothing as Awaited<ReturnType<ControlPlane['saveAlert']>>;
    const updated = await own.update(alertId, (found) => {
      saved = nothing;
      const time = now();
      if (found.lease_owner !== owner) return found;
      let alert = sent.reduce((state, attempt) => withAttempt(state, attempt, time), found);
      if (found.revision === revision && found.is_active && found.enabled) {
        const isNew = windows.some(({ minute }) => minute > found.evaluated_minute);
        alert = windows.reduce((state, window) => withWindow(state, window, time), alert);
        if (isNew) alert = { ...alert, missed_minutes: alert.missed_minutes + missed };
      }
      const deliveries = dueMessages(alert, time);
      saved = { deliveries, failed: Math.max(0, failedOf(alert) - failedOf(found)) };
      if (deliveries.length > 0) return { ...alert, due: leaseEnd(time) };
      return { ...alert, lease_owner: '', due: nextDue(alert) };
    });
    // A deleted alert was kept for its messages.
    if (updated && !updated.is_active && updated.messages.length === 0) await own.delete(alertId);
    return saved;
  };
}

/** Messages that were given up, as far as the history goes back. */
function failedOf({ history }: Alert): number {
  return history.filter(({ delivery }) => delivery === 'failed').length;
}
