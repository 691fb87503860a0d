import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  describeControlPlane,
  EXPIRY,
  EXPORT,
} from '@assay/control-plane-client/test/control-plane-contract';
import { ADMINISTRATOR, newMetric } from '@assay/domain';
import { eventDocumentId } from './shared/forwarded-documents.js';
import { SESSION_COLLECTION, type SessionFields } from './sessions/session-document.js';
import { toSummary } from './sessions/stored-summary.js';
import { makeEvaluateStoredEvents } from './jobs/evaluate-stored-events.js';
import { MetricRepository } from './metrics/metric-repository.js';
import { makeCreateAlert } from './alerts/alert-operations.js';
import { makeCreateChart } from './charts/create-chart.js';
import { makeAddQueue } from './queues/create-queue.js';
import { makeCreateRun } from './runs/create-run.js';
import { RUN } from '../test/in-memory-control-plane.js';
import { startControlPlane, type StartedControlPlane } from '../test/started-control-plane.js';

describeControlPlane('in one process', async () => {
  const started = await startControlPlane();
  const { operations, controlPlane } = started;
  const admin = { caller: ADMINISTRATOR };
  const { retention, keepReferenced: keep_referenced } = EXPIRY;
  const expiring = { name: 'bot', retention, keep_referenced, export: { format: EXPORT.format } };
  const project = await operations.createProject({ body: expiring }, admin);
  const params = { project_id: project.id };
  const revoked = await operations.createIngestionApiKey({ params, body: { name: 'revoked' } }, admin);
  await operations.deleteApiKey({ params: { ...params, key_id: revoked.data.key_id } }, admin);
  const body = { permissions: [], expires_at: '2026-11-02T00:00:00Z' };
  const expired = await operations.createFineGrainedApiKey({ params, body }, admin);
  const deletedProject = await operations.createProject({ body: { name: 'deleted' } }, admin);
  await operations.deleteProject({ query: { name: 'deleted' } }, admin);
  started.clock.time = Date.parse('2026-11-02T00:00:00Z');
  const sessions = await started.documents.collection<SessionFields>(SESSION_COLLECTION);
  const filter = { field: 'event_type', operator: 'is', type: 'string', value: 'model' } as const;
  const run = await storeRun(started, project.id);
  await storeJob(started, project.id);
  await storeAlert(started, project.id);
  const { queue } = await makeAddQueue(started.deps)(
    { body: { name: 'models', filters: { filterArray: [filter] } } },
    { caller: { projectId: project.id } },
  );
  const keyId = project.api_key.slice('hh_fgdp_'.length).slice(0, 24);
  return {
    controlPlane,
    key: project.api_key,
    caller: { projectId: project.id, projectName: 'bot', keyId, scope: 'project' },
    endedKeys: [revoked.data.key_value, expired.data.key_value],
    run,
    chartId: await storeChart(started, project.id),
    deletedProject: deletedProject.id,
    kept: async (sessionId) => keptSession(await sessions.get(eventDocumentId(project.id, sessionId))),
    queued: async () => {
      const page = { projectId: project.id, queueId: queue.id, limit: 1_000 };
      const [first, second] = [0, 1_000].map((offset) => controlPlane.queueEntries({ ...page, offset }));
      return [...((await first)?.entries ?? []), ...((await second)?.entries ?? [])].map(
        ({ eventId }) => eventId,
      );
    },
    disconnect: () => started.documents.close(),
    stop: () => started.stop(),
  };
});

/** Stores the run and its metrics: one name is used twice, and one metric is deleted. */
async function storeRun({ deps, clock }: StartedControlPlane, projectId: string) {
  const metrics = new MetricRepository(deps, projectId);
  const create = async (fields: { name: string; threshold: { min: number } }) => {
    clock.time += 1_000;
    return metrics.create(newMetric({ type: 'PYTHON', criteria: 'def f(event): return 1', ...fields }));
  };
  await create({ name: 'accuracy', threshold: { min: 0.1 } });
  for (const { name } of RUN.rules) await create({ name, threshold: { min: 0.5 } });
  const deleted = (await metrics.newestByName((metric) => metric)).find(({ name }) => name === 'tone');
  await metrics.update(deleted?.id ?? '', (metric) => ({ ...metric, is_active: false }));
  const newer = await create({ name: 'accuracy', threshold: { min: 0.9 } });
  await metrics.update(newer.id, (metric) => ({ ...metric, is_active: false }));
  const context = { caller: { projectId } };
  const body = { run_id: RUN.id, event_ids: RUN.sessionIds };
  await makeCreateRun(deps)({ body }, context);
  return RUN;
}

async function storeJob({ deps }: StartedControlPlane, projectId: string): Promise<void> {
  const active = { equals: { is_active: true }, orderBy: 'created_at' };
  const [metric] = await new MetricRepository(deps, projectId).collection.page(active, 1);
  const request = { params: { metric_id: metric?.id ?? '' }, body: {} };
  await makeEvaluateStoredEvents(deps)(request, { caller: { projectId } });
}

/** Stores an alert with one window that is due. */
async function storeAlert({ deps, clock }: StartedControlPlane, projectId: string): Promise<void> {
  const body = { name: 'slow', threshold: 5, webhook: { url: 'https://example.com' }, delay_seconds: 0 };
  await makeCreateAlert(deps)({ body }, { caller: { projectId } });
  clock.time += 60_000;
}

async function storeChart({ deps }: StartedControlPlane, projectId: string): Promise<string> {
  const query = [{ field: 'event_type', value: 'model', type: 'string', operator: 'is' }];
  const body = { name: 'latency', metric: 'duration', query };
  return (await makeCreateChart(deps)({ body }, { caller: { projectId } })).data.id;
}

function keptSession(session: SessionFields | undefined) {
  return (
    session && {
      watermark: session.watermark,
      name: session.session_name,
      metrics: toSummary('', session).metrics,
    }
  );
}

describe('composeControlPlane', () => {
  it('writes no part of a secret to the store or the log, and logs one line for each action', async () => {
    const started = await startControlPlane();
    const { operations } = started;
    const admin = { caller: ADMINISTRATOR };
    const project = await operations.createProject({ body: { name: 'bot' } }, admin);
    const params = { project_id: project.id };
    const second = await operations.createIngestionApiKey({ params, body: { name: 'collector' } }, admin);
    await started.ensureFirstProject('other', 'a-configured-key-of-somebody-else');
    await operations.deleteApiKey({ params: { ...params, key_id: second.data.key_id } }, admin);
    const stored = readdirSync(started.dir).map((name) => readFileSync(join(started.dir, name), 'latin1'));
    const everything = [...stored, JSON.stringify(started.audited)].join('\n');
    for (const key of [project.api_key, second.data.key_value, 'a-configured-key-of-somebody-else']) {
      const secret = key.startsWith('hh_') ? key.slice(-64) : key;
      for (let n = 0; n + 12 <= secret.length; n++) expect(everything).not.toContain(secret.slice(n, n + 12));
    }
    expect(everything).toContain(second.data.key_id);
    expect(started.audited.map(({ phrase, fields }) => `${phrase} by ${fields.by}`)).toEqual([
      'project created by administrator',
      'key created by administrator',
      'key created by administrator',
      'project created by process',
      'key created by process',
      'key revoked by administrator',
    ]);
    await started.stop();
  });
});
