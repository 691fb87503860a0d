import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { connectAgent, type Agent } from '../harness/agents/connect-agent.js';
import { onStack } from '../harness/stack/on-stack.js';
import { repository } from '../harness/stack/repository.js';
import { startStandalone } from '../harness/stack/start-standalone.js';
import { snippetsOf } from '../instrumentations/documents/snippets.js';
import { EVALUATION_SETTINGS } from './evaluation-journey.js';

const READ_TOOLS = [
  'search_events',
  'read_session',
  'read_event',
  'list_runs',
  'summarize_runs',
  'compare_runs',
  'compare_run_datapoints',
  'gate_run',
  'list_datasets',
  'list_metrics',
  'get_metric',
  'get_run_result',
];
const ALL_TOOLS = [...READ_TOOLS, 'try_metric', 'create_dataset_from_events'];
const DATAPOINTS = 12;

interface AgentSettings {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

interface Rows {
  readonly events: readonly Record<string, unknown>[];
  readonly next_cursor: string | null;
}

describe('the tools of agents', () => {
  const { stack, client } = onStack(() => startStandalone(EVALUATION_SETTINGS));
  const agents: Agent[] = [];
  const agent = async (key = stack.apiKey, mode?: 'legacy' | 'auto') => {
    const connected = await connectAgent({ baseUrl: stack.baseUrl, key, ...(mode && { mode }) });
    agents.push(connected);
    return connected;
  };
  afterAll(() => Promise.all(agents.map((one) => one.close())));

  async function restrictedKey(permissions: readonly string[]): Promise<string> {
    const [project] = (await client.call('GET', '/v1/projects')).json<{ id: string }[]>();
    const path = `/v1/projects/${project!.id}/fine_grained_api_keys`;
    return (await client.post(path, { permissions })).json<{ data: { key_value: string } }>().data.key_value;
  }

  /** Sends a conversation of three events, and waits until they are stored. */
  async function sendSession(name: string): Promise<{ session_id: string; event_ids: string[] }> {
    const session_id = randomUUID();
    const event_ids = [randomUUID(), randomUUID(), randomUUID()];
    const start = Date.now() - 60_000;
    const events = event_ids.map((event_id, index) => ({
      ...{ event_type: index === 0 ? 'chain' : 'model', event_name: name, event_id, session_id },
      ...(index > 0 && { parent_id: event_ids[0] }),
      ...{ inputs: { question: `question ${index}` }, outputs: { answer: `answer ${index}` } },
      ...{ start_time: start + index * 10, end_time: start + index * 10 + 5 },
    }));
    expect((await client.post('/v1/events/batch', { events, single_session: false })).status).toBe(200);
    await client.search({ filters: [{ field: 'session_id', operator: 'is', value: session_id }] });
    return { session_id, event_ids };
  }

  async function sendRun(name: string, score: (index: number) => number): Promise<string> {
    const run_id = randomUUID();
    const events = Array.from({ length: DATAPOINTS }, (_, index) => ({
      ...{ event_type: 'chain', event_name: 'answer', inputs: {}, outputs: {}, session_id: randomUUID() },
      metadata: { run_id, datapoint_id: `d${index}` },
      metrics: { accuracy: score(index) },
    }));
    expect((await client.post('/v1/events/batch', { events, single_session: false })).status).toBe(200);
    const passing_ranges = { accuracy: { min: 0.5 } };
    await client.post('/v1/runs', { run_id, name, status: 'completed', passing_ranges });
    return run_id;
  }

  describe('that a client sees', () => {
    it.each(['legacy', 'auto'] as const)(
      'are all with a key of all rights, by the protocol %s',
      async (mode) => {
        const connected = await agent(stack.apiKey, mode);
        expect(connected.protocolVersion).toBe(mode === 'auto' ? '2026-07-28' : '2025-11-25');
        expect((await connected.tools()).sort()).toEqual([...ALL_TOOLS].sort());
      },
    );

    it('are those that read with a key that may only read', async () => {
      const reading = ['datapoints', 'datasets', 'events', 'metrics', 'runs'].map((one) => `${one}:read`);
      const connected = await agent(await restrictedKey(reading));
      expect((await connected.tools()).sort()).toEqual([...READ_TOOLS].sort());
      const reply = await connected.call('create_dataset_from_events', { name: 'x', selectAll: true });
      expect(reply).toMatchObject({
        isError: true,
        text: 'this key lacks the permission datasets:write',
      });
    });

    it('are those of its permissions', async () => {
      const connected = await agent(await restrictedKey(['runs:read']));
      expect((await connected.tools()).sort()).toEqual([
        'compare_runs',
        'gate_run',
        'get_run_result',
        'list_runs',
      ]);
      expect(await connected.call('list_metrics')).toMatchObject({
        isError: true,
        text: 'this key lacks the permission metrics:read',
      });
    });
  });

  describe('on events', () => {
    it('search in pages', async () => {
      const name = `searched ${randomUUID()}`;
      const { event_ids } = await sendSession(name);
      const connected = await agent();
      const filters = [{ field: 'event_name', operator: 'is', value: name }];
      const first = (await connected.call('search_events', { filters, limit: 2 })).json<Rows>();
      expect(first.events.map(({ event_id }) => event_id)).toEqual([event_ids[2], event_ids[1]]);
      expect(first.events[0]).toMatchObject({ outputs_preview: '{"answer":"answer 2"}' });
      const args = { filters, limit: 2, cursor: first.next_cursor };
      const second = (await connected.call('search_events', args)).json<Rows>();
      expect(second.events.map(({ event_id }) => event_id)).toEqual([event_ids[0]]);
      expect(second.next_cursor).toBeNull();
    });

    it('read a session as a tree with a conversation, by both protocols', async () => {
      const { session_id, event_ids } = await sendSession('read');
      for (const mode of ['legacy', 'auto'] as const) {
        const reply = await (await agent(stack.apiKey, mode)).call('read_session', { session_id });
        const { events, total } = reply.json<Rows & { total: number }>();
        expect(total).toBe(3);
        const rows = events.filter(({ event_type }) => event_type !== 'session');
        expect(rows.map((row) => [row['event_id'], row['parent_id'], row['inputs_preview']])).toEqual([
          [event_ids[0], session_id, '{"question":"question 0"}'],
          [event_ids[1], event_ids[0], '{"question":"question 1"}'],
          [event_ids[2], event_ids[0], '{"question":"question 2"}'],
        ]);
      }
    });

    it('read an event with its values', async () => {
      const { session_id, event_ids } = await sendSession('one');
      const reply = await (await agent()).call('read_event', { event_id: event_ids[1] });
      expect(reply.json()).toMatchObject({
        event: {
          event_id: event_ids[1],
          session_id,
          parent_id: event_ids[0],
          event_type: 'model',
          error: null,
        },
        inputs: { question: 'question 1' },
        outputs: { answer: 'answer 1' },
      });
    });

    it('create a dataset from events, and add to it', async () => {
      const { event_ids } = await sendSession(`data ${randomUUID()}`);
      const connected = await agent();
      const mapping = { inputs: ['inputs.question'], ground_truth: ['outputs.answer'] };
      const created = await connected.call('create_dataset_from_events', {
        ...{ name: 'from an agent', event_ids: event_ids.slice(0, 2), mapping },
      });
      expect(created.json()).toMatchObject({ datapoints: 2, failed_count: 0 });
      const { dataset_id } = created.json<{ dataset_id: string }>();
      const more = { dataset_id, event_ids: event_ids.slice(2), mapping };
      expect((await connected.call('create_dataset_from_events', more)).json()).toMatchObject({
        datapoints: 1,
      });
      const page = await client.call('GET', `/v1/datasets/${dataset_id}/datapoints`);
      expect(
        page.json<{ datapoints: { inputs: object; ground_truth: object }[] }>().datapoints,
      ).toMatchObject(
        [0, 1, 2].map((index) => ({
          inputs: { question: `question ${index}` },
          ground_truth: { answer: `answer ${index}` },
        })),
      );
      const datasets = (await connected.call('list_datasets', { dataset_id })).json<{ datasets: object[] }>();
      expect(datasets.datasets).toMatchObject([{ name: 'from an agent' }]);
    });

    it('leave no dataset when a selection is refused or empty', async () => {
      const connected = await agent();
      const name = `never created ${randomUUID()}`;
      const none = [{ field: 'event_name', operator: 'is', value: randomUUID() }];
      const empty = await connected.call('create_dataset_from_events', {
        name,
        selectAll: true,
        filters: none,
      });
      expect(empty).toMatchObject({ isError: true, text: 'no event is selected: no dataset was created' });
      const refused = await connected.call('create_dataset_from_events', { name });
      expect(refused).toMatchObject({
        isError: true,
        text: expect.stringContaining('must select at least one event') as string,
      });
      expect((await client.call('GET', '/v1/datasets')).text).not.toContain(name);
    });
  });

  describe('of docs/agents.md', () => {
    const snippets = snippetsOf(join(repository, 'docs/agents.md'));
    const ofLanguage = (wanted: string) => snippets.filter(({ language }) => language === wanted);

    it('are reached by the settings for an agent', async () => {
      const [settings] = ofLanguage('json');
      const { assay } = (JSON.parse(settings!.text) as { mcpServers: Record<string, AgentSettings> })
        .mcpServers;
      expect(assay).toMatchObject({ type: 'http', url: 'http://127.0.0.1:8090/mcp' });
      expect(assay!.headers).toEqual({ Authorization: 'Bearer hh_fgdp_…' });
      const { pathname } = new URL(assay!.url);
      const connected = await connectAgent({ baseUrl: stack.baseUrl, path: pathname, key: stack.apiKey });
      agents.push(connected);
      expect(await connected.tools()).toHaveLength(ALL_TOOLS.length);
    });

    it('are listed by its commands', async () => {
      const environment = {
        PATH: process.env.PATH ?? '',
        ASSAY_URL: stack.baseUrl,
        ASSAY_API_KEY: stack.apiKey,
      };
      const commands = ofLanguage('sh');
      expect(commands).toHaveLength(1);
      for (const { text } of commands) {
        const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', text], {
          env: environment,
        });
        const { result } = JSON.parse(stdout) as { result: { tools: { name: string }[] } };
        expect(result.tools.map(({ name }) => name)).toEqual(await (await agent()).tools());
      }
    });
  });

  describe('on runs and metrics', () => {
    it('list, read, compare and gate runs', async () => {
      const name = `run ${randomUUID()}`;
      const old_run_id = await sendRun(`${name} old`, (index) => (index < 8 ? 0.2 : 0.9));
      const new_run_id = await sendRun(`${name} new`, (index) => (index < 2 ? 0.2 : 0.9));
      const connected = await agent();
      const listed = await connected.call('list_runs', { name });
      expect(listed.json<{ evaluations: object[] }>().evaluations).toMatchObject([
        { run_id: new_run_id },
        { run_id: old_run_id },
      ]);
      const result = await connected.call('get_run_result', { run_id: new_run_id, limit: 1, offset: 1 });
      expect(result.json()).toMatchObject({
        passed_count: 10,
        failed_count: 2,
        metrics: { details: [{ metric_name: 'accuracy', scores: 12, passed_count: 10, failed_count: 2 }] },
        datapoints: { selection: 'failed', total: 2, offset: 1, items: [{ passed: false }] },
      });
      const summaries = await connected.call('summarize_runs', { run_ids: [old_run_id] });
      expect(summaries.text).toContain('"failed":8');
      const compared = await connected.call('compare_runs', { new_run_id, old_run_id });
      expect(compared.json()).toMatchObject({
        metrics: [{ metric_name: 'accuracy', improved_count: 6, degraded_count: 0 }],
      });
      const worse = { new_run_id: old_run_id, old_run_id: new_run_id, metric: 'accuracy', only: ['worse'] };
      const datapoints = await connected.call('compare_run_datapoints', worse);
      expect(datapoints.json<{ rows: object[] }>().rows).toHaveLength(6);
      const gate = await connected.call('gate_run', { new_run_id: old_run_id, against: new_run_id });
      expect(gate.json()).toMatchObject({ outcome: expect.stringMatching(/fail|undecided/) as string });
    });

    it('list, read and try metrics', async () => {
      const { event_ids } = await sendSession(`tried ${randomUUID()}`);
      const metric = {
        name: `m ${randomUUID()}`,
        type: 'PYTHON',
        criteria: 'result = len(outputs["answer"])',
      };
      const { metric_id } = (await client.post('/v1/metrics', metric)).json<{ metric_id: string }>();
      const connected = await agent();
      const listed = (await connected.call('list_metrics')).json<{ metrics: object[] }>();
      expect(listed.metrics).toContainEqual(expect.objectContaining({ name: metric.name }));
      expect((await connected.call('get_metric', { metric_id })).json()).toMatchObject(metric);
      const tried = await connected.call('try_metric', { metric, event_ids: [event_ids[1]] });
      expect(tried.json()).toMatchObject({ events: [{ event_id: event_ids[1], value: 8, error: null }] });
    });
  });
});
