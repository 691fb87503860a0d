import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeControlPlane } from '@assay/control-plane-client/test/control-plane-contract';
import { ADMINISTRATOR, newMetric } from '@assay/domain';
import {
  EVENT_ENTRY_COLLECTION,
  type EventEntry,
  type EventEntryFields,
  entryId,
} from './events/indexed-event.js';
import { MetricRepository } from './metrics/metric-repository.js';
import { makeCreateRun } from './runs/create-run.js';
import { RUN } from '../test/in-memory-control-plane.js';
import { startControlPlane, type StartedControlPlane } from '../test/started-control-plane.js';

describeControlPlane('in one process', async () => {
  const started = await startControlPlane();
  const { operations, controlPlane } = started;
  const admin = { caller: ADMINISTRATOR };
  const project = await operations.createProject({ body: { name: 'bot' } }, admin);
  const params = { project_id: project.id };
  const revoked = await operations.createIngestionApiKey({ params, body: { name: 'revoked' } }, admin);
  await operations.deleteApiKey({ params: { ...params, key_id: revoked.data.key_id } }, admin);
  const body = { permissions: [], expires_at: '2026-11-02T00:00:00Z' };
  const expired = await operations.createFineGrainedApiKey({ params, body }, admin);
  started.clock.time = Date.parse('2026-11-02T00:00:00Z');
  const events = await started.documents.collection<EventEntryFields>(EVENT_ENTRY_COLLECTION);
  const keyId = project.api_key.slice('hh_fgdp_'.length).slice(0, 24);
  return {
    controlPlane,
    key: project.api_key,
    caller: { projectId: project.id, projectName: 'bot', keyId, scope: 'project' },
    endedKeys: [revoked.data.key_value, expired.data.key_value],
    run: await storeRun(started, project.id),
    kept: async (eventId) => keptEvent(await events.get(entryId(project.id, eventId))),
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
  const deleted = (await metrics.newestByName()).find(({ name }) => name === 'tone');
  await metrics.update(deleted?.id ?? '', (metric) => ({ ...metric, is_active: false }));
  const newer = await create({ name: 'accuracy', threshold: { min: 0.9 } });
  await metrics.update(newer.id, (metric) => ({ ...metric, is_active: false }));
  const context = { caller: { projectId } };
  const body = { run_id: RUN.id, event_ids: RUN.sessionIds };
  await makeCreateRun(deps)({ body }, context);
  return RUN;
}

function keptEvent(entry: EventEntry | undefined) {
  if (!entry || entry.deleted) return undefined;
  return { version: entry.event_version, eventName: entry.event_name, metrics: entry.metrics };
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
