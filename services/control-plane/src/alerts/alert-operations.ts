import type {
  AlertChange,
  AlertResponse,
  CreateAlertRequest,
  MuteAlertRequest,
  UpdateAlertRequest,
} from '@assay/contracts';
import { INITIAL_ALERT_PROGRESS } from '@assay/domain';
import { AppError, notFound, validationError } from '@assay/errors';
import { newId } from '../shared/new-id.js';
import type { OperationContext } from '../shared/operation-context.js';
import { ProjectScopedCollection } from '../shared/project-scoped-collection.js';
import { withinSize } from '../shared/within-size.js';
import { begunAnew, tested } from './advance-alert.js';
import { changedContent, newContent } from './alert-content.js';
import {
  lastEnd,
  MAX_ALERTS,
  mutedUntil,
  nextDue,
  toAlertResponse,
  type Alert,
  type AlertContent,
  type AlertDeps,
  type AlertFields,
} from './alert-document.js';

interface OfAlert {
  readonly params: { readonly alert_id: string };
}
interface AlertBody {
  success: true;
  data: AlertResponse;
}

const ACTIVE = { is_active: true };
const ISO_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/;

/**
 * Creates an alert, whose first window ends after now. @throws AppError `VALIDATION_ERROR`, `CONFLICT` if the project has the maximum
 * number of alerts
 */
export function makeCreateAlert(deps: AlertDeps) {
  return async function createAlert(
    { body }: { body: CreateAlertRequest },
    { caller }: OperationContext,
  ): Promise<AlertBody> {
    const collection = new ProjectScopedCollection(deps.alerts, caller.projectId);
    const content = withinSize('alert', newContent(body));
    if ((await collection.count(ACTIVE)) >= MAX_ALERTS) throw tooMany();
    const now = deps.now();
    const { alertIntervalMs } = deps;
    const fields: AlertFields = {
      project_id: caller.projectId,
      ...content,
      ...{ is_active: true, revision: 1, progress: INITIAL_ALERT_PROGRESS, notified: 'ok', sequence: 0 },
      ...{ last_value: null, evaluated_end: lastEnd(content, { now, alertIntervalMs }), missed_windows: 0 },
      ...{ muted_until: null, history: [], messages: [], lease_owner: '', due: '' },
      ...{ created_at: now.toISOString(), updated_at: now.toISOString() },
    };
    const alert = await collection.insert(newId(), { ...fields, due: nextDue(fields, alertIntervalMs) });
    // Concurrent requests may all have counted before one of them had its alert: the latest ones go.
    if ((await collection.count(ACTIVE)) > MAX_ALERTS && !(await isAmongFirst(collection, alert.id))) {
      await collection.delete(alert.id);
      throw tooMany();
    }
    return { success: true, data: toAlertResponse(alert) };
  };
}

const tooMany = () => new AppError('CONFLICT', `the project has ${MAX_ALERTS} alerts, which is the maximum`);

async function isAmongFirst(collection: ProjectScopedCollection<AlertFields>, id: string): Promise<boolean> {
  const first = await collection.page({ equals: ACTIVE, orderBy: 'created_at' }, MAX_ALERTS);
  return first.some((alert) => alert.id === id);
}

/** Lists the alerts of the project, newest first. */
export function makeListAlerts(deps: AlertDeps) {
  return async function listAlerts(_request: object, { caller }: OperationContext) {
    const collection = new ProjectScopedCollection(deps.alerts, caller.projectId);
    const query = { equals: ACTIVE, orderBy: 'created_at', descending: true };
    const alerts = await collection.page(query, MAX_ALERTS);
    return { success: true as const, data: alerts.map(toAlertResponse) };
  };
}

/** Returns an alert. @throws AppError `NOT_FOUND` */
export function makeGetAlert(deps: AlertDeps) {
  return async function getAlert({ params }: OfAlert, { caller }: OperationContext): Promise<AlertBody> {
    return { success: true, data: toAlertResponse(await read(deps, caller.projectId, params.alert_id)) };
  };
}

/** Returns the last changes of an alert, newest first. @throws AppError `NOT_FOUND` */
export function makeListAlertHistory(deps: AlertDeps) {
  return async function listAlertHistory(
    { params }: OfAlert,
    { caller }: OperationContext,
  ): Promise<{ success: true; data: AlertChange[] }> {
    const { history } = await read(deps, caller.projectId, params.alert_id);
    return { success: true, data: [...history].reverse() };
  };
}

/**
 * Replaces the given fields of an alert. Unless only its name and description change, it begins anew, and receivers that took it for
 * firing are notified that it ended. @throws AppError `NOT_FOUND`, `VALIDATION_ERROR`
 */
export function makeUpdateAlert(deps: AlertDeps) {
  return async function updateAlert(
    { params, body }: OfAlert & { body: UpdateAlertRequest },
    { caller }: OperationContext,
  ): Promise<AlertBody> {
    const alert = await change(
      deps,
      { projectId: caller.projectId, alertId: params.alert_id },
      (found, now) => {
        const content = withinSize('alert', changedContent(found, body), found);
        if (isSameDefinition(found, content)) return { ...found, ...content };
        // The message goes to the receiver that the alert had.
        const begun = { ...begunAnew(found, now), ...content, revision: found.revision + 1 };
        return { ...begun, evaluated_end: lastEnd(content, { now, alertIntervalMs: deps.alertIntervalMs }) };
      },
    );
    return { success: true, data: toAlertResponse(alert) };
  };
}

/** Mutes an alert until a time, or ends that. @throws AppError `NOT_FOUND`, `VALIDATION_ERROR` */
export function makeMuteAlert(deps: AlertDeps) {
  return async function muteAlert(
    { params, body: { until: end } }: OfAlert & { body: MuteAlertRequest },
    { caller }: OperationContext,
  ): Promise<AlertBody> {
    const time = end === null ? null : Date.parse(end);
    if (end !== null && (!ISO_TIME.test(end) || Number.isNaN(time)))
      throw validationError('until must be a time in ISO 8601 with its offset, or null');
    const muted_until = time === null ? null : new Date(time).toISOString();
    const alert = await change(deps, { projectId: caller.projectId, alertId: params.alert_id }, (found) => ({
      ...found,
      muted_until,
    }));
    return { success: true, data: toAlertResponse(alert) };
  };
}

/**
 * Has a message of the event `test` sent to the receiver. @throws AppError `NOT_FOUND`, `CONFLICT` if nothing is sent now: the alert is mute,
 * or messages wait
 */
export function makeTestAlert(deps: AlertDeps) {
  return async function testAlert({ params }: OfAlert, { caller }: OperationContext): Promise<AlertBody> {
    const name = { projectId: caller.projectId, alertId: params.alert_id };
    const alert = await change(deps, name, (found, now) => {
      if (now.getTime() < mutedUntil(found)) throw new AppError('CONFLICT', 'the alert is mute');
      if (found.messages.length > 0)
        throw new AppError('CONFLICT', 'messages of the alert wait already, see its history');
      return tested(found, now);
    });
    return { success: true, data: toAlertResponse(alert) };
  };
}

/** Deletes an alert; receivers that took it for firing are notified that it ended. @throws AppError `NOT_FOUND` */
export function makeDeleteAlert(deps: AlertDeps) {
  return async function deleteAlert(
    { params }: OfAlert,
    { caller }: OperationContext,
  ): Promise<{ success: true; message: string }> {
    const name = { projectId: caller.projectId, alertId: params.alert_id };
    const deleted = await change(deps, name, (found, now) => ({
      ...begunAnew(found, now),
      is_active: false,
    }));
    if (deleted.messages.length === 0)
      await new ProjectScopedCollection(deps.alerts, caller.projectId).delete(params.alert_id);
    return { success: true, message: 'alert deleted' };
  };
}

async function read(deps: AlertDeps, projectId: string, alertId: string): Promise<Alert> {
  const alert = await new ProjectScopedCollection(deps.alerts, projectId).get(alertId);
  if (!alert?.is_active) throw notFound('alert not found');
  return alert;
}

/** What waits for a process is due now, unless one has the alert. */
async function change(
  deps: AlertDeps,
  { projectId, alertId }: { readonly projectId: string; readonly alertId: string },
  update: (found: Alert, now: Date) => Alert,
): Promise<Alert> {
  const changed = await new ProjectScopedCollection(deps.alerts, projectId).update(alertId, (found) => {
    if (!found.is_active) throw notFound('alert not found');
    const now = deps.now();
    const alert = { ...update(found, now), updated_at: now.toISOString() };
    return alert.lease_owner === '' ? { ...alert, due: nextDue(alert, deps.alertIntervalMs) } : alert;
  });
  if (!changed) throw notFound('alert not found');
  return changed;
}

function isSameDefinition(found: AlertContent, content: AlertContent): boolean {
  const definitionOf = ({ name: _, description: __, ...definition }: AlertContent) => definition;
  const kept = Object.keys(definitionOf(content)) as (keyof ReturnType<typeof definitionOf>)[];
  // A field that documents of former releases lack is null.
  const textOf = (one: AlertContent, field: (typeof kept)[number]) => JSON.stringify(one[field] ?? null);
  return kept.every((field) => textOf(found, field) === textOf(content, field));
}
