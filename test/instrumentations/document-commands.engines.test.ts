import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { onStack } from '../harness/stack/on-stack.js';
import { repository } from '../harness/stack/repository.js';
import { startStandalone } from '../harness/stack/start-standalone.js';
import { executedBlocks } from './documents/command-blocks.js';

const LOCAL_ADMIN_ADDRESS = /http:\/\/127\.0\.0\.1:8091/g;
const LOCAL_ADDRESS = /http:\/\/127\.0\.0\.1:8090|https:\/\/control-plane\.example/g;
const A_PROJECT_ID = /65c13dbbd65fb876b7886cdb|<project id>/g;
/** A response with an error status fails the block. */
const CURL = 'curl() { command curl --fail-with-body --max-time 60 "$@"; }';

/** The command line of the repository, in place of that of an image and from any folder. */
const COMMAND_LINE = 'npx() { (cd "$REPOSITORY" && command npx "$@"); }; docker() { shift 2; npx "$@"; }';
/** Sends an empty request as an exporter with the settings of the block does. */
const EXPORT =
  'header=$(printf %b "${OTEL_EXPORTER_OTLP_HEADERS//%/\\\\x}"); curl -sS "$OTEL_EXPORTER_OTLP_ENDPOINT/v1/traces" ' +
  `-H "\${header/=/: }" -H "Content-Type: application/x-protobuf" --data-binary ''`;

describe('commands in the documentation', () => {
  const { client, stack } = onStack(startStandalone);
  const dir = mkdtempSync(join(tmpdir(), 'assay-commands-'));
  let environment: Record<string, string>;
  afterAll(() => rmSync(dir, { recursive: true, force: true }));

  /** Two runs of the metric `accuracy` on ten datapoints; the new one is better on each. */
  async function createRuns(): Promise<{ OLD: string; NEW: string }> {
    const [OLD, NEW] = [randomUUID(), randomUUID()];
    for (const [run_id, score] of [
      [OLD, 0.1],
      [NEW, 0.9],
    ] as const) {
      expect((await client.post('/v1/runs', { run_id, name: run_id, status: 'completed' })).status).toBe(200);
      const events = Array.from({ length: 10 }, (_, n) => ({
        ...{
          event_type: 'chain',
          event_name: 'answer',
          inputs: {},
          metrics: { accuracy: score + n / 1_000 },
        },
        metadata: { run_id, datapoint_id: `EXT-${n}` },
      }));
      expect((await client.post('/v1/events/batch', { events })).status).toBe(200);
    }
    return { OLD, NEW };
  }

  beforeAll(async () => {
    const [project] = (await client.call('GET', '/v1/projects')).json<{ id: string }[]>();
    const metric = { name: 'accuracy', type: 'PYTHON', criteria: 'result = 1', direction: 'higher' };
    const created = await client.post('/v1/metrics', metric);
    expect(created.status).toBe(200);
    const event = { event_type: 'model', event_name: 'answer', inputs: {}, outputs: { content: 'four' } };
    const stored = (await client.post('/v1/events', event)).json<{ event_id: string }>();
    const metricId = created.json<{ metric_id: string }>().metric_id;
    const started = await client.post(`/v1/metrics/${metricId}/evaluate`, {});
    expect(started.status).toBe(200);
    environment = {
      ...{ ASSAY_URL: stack.baseUrl, ASSAY_API_KEY: stack.apiKey, ASSAY_ADMIN_TOKEN: stack.adminToken },
      REPOSITORY: repository,
      ...{ PROJECT_ID: project!.id, EVENT_ID: stored.event_id, METRIC_ID: metricId },
      JOB_ID: started.json<{ job: { id: string } }>().job.id,
      ...(await createRuns()),
    };
  });

  /** The document from the top, with the address and the key alone. */
  const WHOLE = 'docs/evaluators.md';

  it(`of ${WHOLE} use only variables that commands above them set`, async () => {
    const blocks = executedBlocks().filter(({ document }) => document === WHOLE);
    const { EVENT_ID: _event, METRIC_ID: _metric, JOB_ID: _job, ...rest } = environment;
    const env = { ...process.env, ...rest };
    const script = [CURL, COMMAND_LINE, ...blocks.map(({ text }) => text)].join('\n');
    await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], { cwd: dir, env, timeout: 90_000 });
  });

  it.each(executedBlocks())('succeed: $document, block $block', async ({ text }) => {
    const script = text
      .replaceAll(LOCAL_ADDRESS, stack.baseUrl)
      .replaceAll(LOCAL_ADMIN_ADDRESS, stack.adminUrl('standalone'))
      .replaceAll(A_PROJECT_ID, environment.PROJECT_ID ?? '')
      .replaceAll(/^export ASSAY_API_KEY=.*$/gm, '');
    const options = { cwd: dir, env: { ...process.env, ...environment }, timeout: 90_000 };
    const after = text.includes('export OTEL_') ? [EXPORT] : [];
    const whole = [CURL, COMMAND_LINE, script, ...after].join('\n');
    await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', whole], options);
  });
});
