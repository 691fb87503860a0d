import { internalApi } from '@assay/contracts';
import type { ActingKey, ControlPlane, EventDatapoint, ForwardedEvent } from '@assay/control-plane-client';
import { NO_REDACTION, redactEvent, redactSessionSummary } from '@assay/domain';
import { HandlerResponse, bind, type Binding, type DataPlane } from '@assay/http';
import { runsPage } from './runs-page.js';

/** To this data plane a person of another project has none. */
const NOT_OF_DATA_PLANE = {
  code: 'FORBIDDEN',
  message: 'no group of this person has access to the project',
} as const;

/** The routes that data planes call, each with its operation. */
export function internalBindings(controlPlane: ControlPlane): readonly Binding[] {
  return [
    bind(internalApi.checkControlPlane, async () => {
      await controlPlane.check();
      return { ok: true };
    }),
    ...identityBindings(controlPlane),
    bind(
      internalApi.forwardEvents,
      forProjects(eventProjects, async ({ events }) => {
        await controlPlane.forwardEvents(events.map(toForwardedEvent));
        return { kept: events.length };
      }),
    ),
    bind(
      internalApi.createDatapoints,
      forProjects(bodyProject, async ({ projectId, datasetId, by, datapoints }, dataPlane) => {
        const target = { projectId, datasetId, by: actingKey(by, dataPlane) };
        return { created: await controlPlane.createDatapoints(target, datapoints.map(declaredFields)) };
      }),
    ),
    bind(
      internalApi.claimRequest,
      forProjects(bodyProject, async (claim) => ({ first: await controlPlane.claimRequest(claim) })),
    ),
    bind(
      internalApi.listDeployedMetrics,
      forProjects(bodyProject, (query) => controlPlane.deployedMetrics(query)),
    ),
    bind(
      internalApi.listDeletedProjects,
      forProjects(
        ({ projectIds }) => projectIds,
        async ({ projectIds }) => ({ deleted: await controlPlane.deletedProjects(projectIds) }),
      ),
    ),
    ...retentionBindings(controlPlane),
    ...jobBindings(controlPlane),
    ...runBindings(controlPlane),
    ...queueBindings(controlPlane),
    ...alertBindings(controlPlane),
  ];
}

function identityBindings(controlPlane: ControlPlane): readonly Binding[] {
  return [
    // Only the response shows whose key it is. To this data plane a key of another project is unknown.
    bind(internalApi.authenticateKey, async ({ body }, { caller: dataPlane }) => {
      const caller = await controlPlane.authenticate(body.key);
      return { caller: caller && dataPlane.mayActFor(caller.projectId) ? caller : null };
    }),
    bind(internalApi.authenticatePerson, async ({ body: { token, projectId } }, { caller: dataPlane }) => {
      const { caller, refusal } = await controlPlane.authenticatePerson(token, projectId);
      if (caller === null || dataPlane.mayActFor(caller.projectId)) return { caller, refusal };
      return { caller: null, refusal: NOT_OF_DATA_PLANE };
    }),
    bind(internalApi.getSignInProvider, async () => ({
      provider: (await controlPlane.signInProvider()) ?? null,
    })),
    bind(internalApi.completeSignIn, ({ body }) => controlPlane.completeSignIn(body)),
    bind(internalApi.listProjectsOfPerson, async ({ body: { session } }, { caller: dataPlane }) => {
      const callers = await controlPlane.projectsOfPerson(session);
      return { callers: callers.filter(({ projectId }) => dataPlane.mayActFor(projectId)) };
    }),
    // Administrators of the control plane are those of its data planes, whichever projects these serve.
    bind(internalApi.authenticateAdministrator, async ({ body }) => {
      const found = await controlPlane.authenticateAdministrator(body.token);
      if (found === undefined || found.id === null) return { administrator: null };
      const { id, name, role, expiresAt } = found;
      return { administrator: { id, name, role, ...(expiresAt !== undefined && { expiresAt }) } };
    }),
  ];
}

function retentionBindings(controlPlane: ControlPlane): readonly Binding[] {
  return [
    bind(internalApi.listRetentions, async ({ body }, { caller: dataPlane }) => {
      const { projects, next } = await controlPlane.retentions(body.after);
      return { projects: projects.filter(({ projectId }) => dataPlane.mayActFor(projectId)), next };
    }),
    bind(internalApi.listExports, async ({ body }, { caller: dataPlane }) => {
      const { projects, next } = await controlPlane.exports(body.after);
      return { projects: projects.filter(({ projectId }) => dataPlane.mayActFor(projectId)), next };
    }),
    bind(
      internalApi.removeExpired,
      forProjects(bodyProject, async (expired) => ({ kept: await controlPlane.removeExpired(expired) })),
    ),
    bind(
      internalApi.recordDeletion,
      forProjects(bodyProject, async ({ by, ...deletion }, dataPlane) => {
        await controlPlane.recordDeletion({ ...deletion, by: actingKey(by, dataPlane) });
        return { recorded: true };
      }),
    ),
    bind(internalApi.recordAdministration, async ({ body }, { caller: dataPlane }) => {
      const { action, subjectId, fields, by } = body;
      await controlPlane.recordAdministration({ action, subjectId, fields, by, dataPlaneId: dataPlane.id });
      return { recorded: true };
    }),
  ];
}

function jobBindings(controlPlane: ControlPlane): readonly Binding[] {
  return [
    bind(
      internalApi.claimJob,
      forProjects(
        ({ projectIds }) => projectIds,
        async (claim, dataPlane) => {
          const job = await controlPlane.claimJob({ ...claim, mayActFor: mayActFor(dataPlane) });
          return { jobs: job === undefined ? [] : [job] };
        },
      ),
    ),
    bind(
      internalApi.startBackfill,
      forProjects(bodyProject, ({ by, ...backfill }, dataPlane) =>
        controlPlane.startBackfill({ ...backfill, by: actingKey(by, dataPlane) }),
      ),
    ),
    bind(
      internalApi.claimBackfill,
      forProjects(
        ({ projectIds }) => projectIds,
        async (claim, dataPlane) => {
          const job = await controlPlane.claimBackfill({ ...claim, mayActFor: mayActFor(dataPlane) });
          return { jobs: job === undefined ? [] : [job] };
        },
      ),
    ),
    bind(
      internalApi.saveJob,
      forProjects(bodyProject, async (progress) => ({ continues: await controlPlane.saveJob(progress) })),
    ),
    bind(
      internalApi.reportModels,
      forProjects(
        ({ projectIds }) => projectIds,
        async (report, { id }) => {
          await controlPlane.reportModels({ ...report, dataPlaneId: id });
          return { reported: true };
        },
      ),
    ),
  ];
}

function alertBindings(controlPlane: ControlPlane): readonly Binding[] {
  return [
    bind(
      internalApi.claimAlert,
      forProjects(
        ({ projectIds }) => projectIds,
        async (claim, dataPlane) => {
          const alert = await controlPlane.claimAlert({ ...claim, mayActFor: mayActFor(dataPlane) });
          return { alerts: alert === undefined ? [] : [alert] };
        },
      ),
    ),
    bind(
      internalApi.saveAlert,
      forProjects(bodyProject, (turn) => controlPlane.saveAlert(turn)),
    ),
  ];
}

function runBindings(controlPlane: ControlPlane): readonly Binding[] {
  return [
    bind(
      internalApi.readRuns,
      forProjects(bodyProject, async ({ skip, ...query }) => runsPage(await controlPlane.runs(query), skip)),
    ),
    bind(
      internalApi.readRunLinks,
      forProjects(bodyProject, (query) => controlPlane.runLinks(query)),
    ),
    bind(
      internalApi.readChart,
      forProjects(bodyProject, async (name) => {
        const chart = await controlPlane.chart(name);
        return { charts: chart === undefined ? [] : [chart] };
      }),
    ),
  ];
}

function queueBindings(controlPlane: ControlPlane): readonly Binding[] {
  return [
    bind(
      internalApi.listQueueEntries,
      forProjects(bodyProject, async (query) => ({
        page: (await controlPlane.queueEntries(query)) ?? null,
      })),
    ),
    bind(
      internalApi.getQueueFilters,
      forProjects(bodyProject, async (queue) => ({
        filters: (await controlPlane.queueFilters(queue)) ?? null,
      })),
    ),
    bind(
      internalApi.getRoutingFilters,
      forProjects(
        ({ projectIds }) => projectIds,
        async ({ projectIds }) => ({ projects: await controlPlane.routingFilters(projectIds) }),
      ),
    ),
    bind(
      internalApi.addToQueue,
      forProjects(bodyProject, async ({ eventIds, ...queue }) => ({
        added: await controlPlane.addToQueue(queue, eventIds),
      })),
    ),
    bind(
      internalApi.listAnnotationMetrics,
      forProjects(bodyProject, async (query) => ({
        metrics: (await controlPlane.annotationMetrics(query)) ?? null,
      })),
    ),
    bind(
      internalApi.leaseQueueEvent,
      forProjects(bodyProject, (lease) => controlPlane.leaseQueueEvent(lease)),
    ),
    bind(
      internalApi.markQueueEvent,
      forProjects(bodyProject, async ({ by, ...completion }, dataPlane) => {
        const entry = await controlPlane.markQueueEvent({ ...completion, by: actingKey(by, dataPlane) });
        return { entry: entry ?? null };
      }),
    ),
  ];
}

/**
 * Returns an operation that runs only if the data plane may act for every project in the request. Otherwise
 * the response is a 403 that lists the other projects, and the operation has no effect.
 */
function forProjects<Body, Result>(
  projectsOf: (body: NoInfer<Body>) => Iterable<string>,
  run: (body: Body, dataPlane: DataPlane) => Promise<Result>,
) {
  return async (
    { body }: { body: Body },
    { caller: dataPlane, requestId }: { caller: DataPlane; requestId: string },
  ): Promise<Result | HandlerResponse<never>> => {
    const refused = [...new Set(projectsOf(body))].filter((projectId) => !dataPlane.mayActFor(projectId));
    if (refused.length === 0) return run(body, dataPlane);
    return new HandlerResponse(internalApi.unauthorisedProjectsBody(refused, requestId) as never, {}, 403);
  };
}

function mayActFor(dataPlane: DataPlane) {
  return (projectId: string) => dataPlane.mayActFor(projectId);
}

function bodyProject({ projectId }: { readonly projectId: string }): readonly string[] {
  return [projectId];
}

function eventProjects({ events }: { readonly events: readonly internalApi.WireForwardedEvent[] }) {
  return events.map((one) => (one.kind === 'event' ? one.event.project_id : one.projectId));
}

/** Fields that are not declared are dropped. The data plane has redacted the event. */
function toForwardedEvent(one: internalApi.WireForwardedEvent): ForwardedEvent {
  if (one.kind === 'session') {
    const { kind, projectId, watermark, isListed } = one;
    return { kind, projectId, watermark, isListed, summary: redactSessionSummary(one.summary, NO_REDACTION) };
  }
  const { kind, version } = one;
  if (kind === 'delete') {
    const { projectId, eventId, isMoved, memberIds } = one;
    const optional = { ...(isMoved && { isMoved }), ...(memberIds && { memberIds }) };
    return { kind, version, projectId, eventId, ...optional };
  }
  return { kind, version, arrivedAt: one.arrivedAt, event: redactEvent(one.event, NO_REDACTION) };
}

/** A field that is not declared must not reach the document: `project_id` would replace that of the target. */
function declaredFields(datapoint: internalApi.WireDatapoint): EventDatapoint {
  const { id, inputs, history, ground_truth, metadata, linked_event } = datapoint;
  return { id, inputs, history, ground_truth, metadata, linked_event };
}

/** The acting key, with the data plane that the token identifies, whatever the body says. */
function actingKey({ keyId, requestId, address, identity }: ActingKey, { id }: DataPlane): ActingKey {
  return { keyId, requestId, address, ...(identity !== undefined && { identity }), dataPlaneId: id };
}
