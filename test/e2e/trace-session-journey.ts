import { randomUUID } from 'node:crypto';
import type { Client } from '../harness/stack/client.js';
import { onStack } from '../harness/stack/on-stack.js';
import type { Stack } from '../harness/stack/stack.js';

interface Node {
  readonly event_id: string;
  readonly event_name: string;
  readonly parent_id: string | null;
  readonly children: Node[];
}

/** Exporters send the spans of a trace in pieces, children before their root: what ends up where. Runs the same against every way to run Assay. */
export function traceSessionJourney(startStack: () => Promise<Stack>): ReturnType<typeof onStack> {
  const started = onStack(startStack);
  const { client } = started;

  const tree = async (id: string) =>
    (await client.call('GET', `/v1/sessions/${id}`, { headers: { prefer: 'wait=30' } })).json<Node>();
  const names = (node: Node): string =>
    [node.event_name, ...(node.children.length > 0 ? [`(${node.children.map(names).join(' ')})`] : [])].join(
      '',
    );
  const find = async (field: string, value: string) =>
    (await client.search({ filters: [{ field, operator: 'is', value, type: 'string' }] })).events;

  it('relocates spans that arrive before the root to its session and drops the temporary one', async () => {
    const { span, send } = aTrace(client);
    const session = randomUUID();
    await send(span('leaf', 'child'));
    await send(span('child', 'root'));
    const [leaf] = await find('metadata.marker', markerOf(span('leaf')));
    const derived = String(leaf?.session_id);
    expect(await find('session_id', derived)).toHaveLength(3);

    await send(span('root', undefined, { 'session.id': session }));
    expect(names(await tree(session))).toBe('root(root(child(leaf)))');
    expect((await client.call('GET', `/v1/sessions/${derived}`)).status).toBe(404);
    expect(await find('session_id', derived)).toEqual([]);

    await send(span('late', 'child'));
    await client.call('PUT', `/v1/events/${String(leaf?.event_id)}`, { body: { metrics: { late: 1 } } });
    await send(span('leaf', 'child'));
    expect(names(await tree(session))).toBe('root(root(child(leaf late)))');
    expect(await find('metadata.marker', markerOf(span('leaf')))).toMatchObject([
      { session_id: session, metrics: { late: 1 } },
    ]);
  });

  it('stores spans that arrive after the root in its session', async () => {
    const { span, send } = aTrace(client);
    const session = randomUUID();
    await send(span('root', undefined, { 'session.id': session }));
    await send(span('leaf', 'child'));
    await send(span('child', 'root'));
    expect(names(await tree(session))).toBe('root(root(child(leaf)))');
  });

  it('stores an export once that arrives three times, and keeps feedback given in between', async () => {
    const { span, send } = aTrace(client);
    const session = randomUUID();
    const request = span('answer', undefined, { 'session.id': session });
    await send(request);
    const [event] = await find('metadata.marker', markerOf(request));
    await client.call('PUT', `/v1/events/${String(event?.event_id)}`, { body: { feedback: { rating: 5 } } });
    await send(request);
    await send(request);
    expect(await find('metadata.marker', markerOf(request))).toMatchObject([
      { event_id: event?.event_id, feedback: { rating: 5 } },
    ]);
    expect(names(await tree(session))).toBe('answer(answer)');
  });

  it('creates one session for parts of a trace that arrive concurrently', async () => {
    const { span, send } = aTrace(client);
    const spans = Array.from({ length: 20 }, (_, index) => span(`part ${index}`, 'root'));
    await Promise.all(spans.map((part) => send(part)));
    const parts = await Promise.all(spans.map((part) => find('metadata.marker', markerOf(part))));
    const sessions = new Set(parts.flat().map(({ session_id }) => session_id));
    expect(parts.flat()).toHaveLength(20);
    expect(sessions.size).toBe(1);
    const ofSession = await find('session_id', String([...sessions][0]));
    expect(ofSession.filter(({ event_type }) => event_type === 'session')).toHaveLength(1);
  });

  it.each(['before', 'after'])(
    'hangs spans below a parent that brings its own id, when they come %s it',
    async (when) => {
      const { span, send } = aTrace(client);
      const [session, own] = [randomUUID(), randomUUID()];
      const parent = span('parent', undefined, { 'session.id': session, honeyhive_event_id: own });
      const requests = [span('one', 'parent'), span('two', 'parent'), parent];
      for (const request of when === 'before' ? requests : requests.reverse()) await send(request);
      const [node] = (await tree(session)).children;
      expect(node).toMatchObject({ event_id: own, event_name: 'parent' });
      expect(node?.children).toMatchObject([
        { event_name: 'one', parent_id: own },
        { event_name: 'two', parent_id: own },
      ]);
    },
  );

  it('adds the evaluation in a span to the linked event in either order of arrival', async () => {
    const { trace, span, send } = aTrace(client);
    const judge = aTrace(client);
    const evaluation = (of: string, score: number) => ({
      ...judge.span(`judge of ${of}`, undefined, {}),
      attributes: [{ key: 'honeyhive_metrics.score', value: { intValue: score } }],
      links: [{ traceId: trace, spanId: span(of).spanId }],
    });
    await send(span('early'));
    await judge.send(evaluation('early', 4));
    await judge.send(evaluation('late', 5));
    await send(span('late'));
    expect(await find('metadata.marker', markerOf(span('early')))).toMatchObject([{ metrics: { score: 4 } }]);
    expect(await find('metadata.marker', markerOf(span('late')))).toMatchObject([{ metrics: { score: 5 } }]);
  });

  it('keeps a score that was corrected after an evaluation when the evaluation is exported again', async () => {
    const { trace, span, send } = aTrace(client);
    const [judge, session_id] = [aTrace(client), randomUUID()];
    const evaluation = {
      ...judge.span('judge', undefined, {
        'session.id': session_id,
        'gen_ai.evaluation.name': 'helpful',
        'gen_ai.evaluation.score.label': 'no',
        'gen_ai.evaluation.scope': 'session',
      }),
      links: [{ traceId: trace, spanId: span('answer').spanId }],
    };
    evaluation.attributes = evaluation.attributes.slice(1);
    await client.post('/v1/sessions', { session_id, session_name: 'chat' });
    await send(span('answer'));
    await judge.send(evaluation);
    const [judged] = await find('metadata.marker', markerOf(span('answer')));
    expect(judged).toMatchObject({ metrics: { helpful: 'no' } });
    for (const id of [String(judged?.event_id), session_id])
      await client.call('PUT', `/v1/events/${id}`, { body: { metrics: { helpful: 'yes' } } });
    await judge.send(evaluation);
    expect(await find('event_id', String(judged?.event_id))).toMatchObject([{ metrics: { helpful: 'yes' } }]);
    expect(await find('event_id', session_id)).toMatchObject([{ metrics: { helpful: 'yes' } }]);
  });

  it('adds the evaluation of a session to the session, beside other scores', async () => {
    const session_id = randomUUID();
    const { span, send } = aTrace(client);
    const evaluation = {
      'gen_ai.evaluation.name': 'helpful',
      'gen_ai.evaluation.score.label': 'yes',
      'gen_ai.evaluation.scope': 'session',
    };
    await send(span('judge', undefined, { 'session.id': session_id, ...evaluation }));
    await client.post('/v1/sessions', { session_id, session_name: 'chat' });
    await client.call('PUT', `/v1/events/${session_id}`, { body: { metrics: { tone: 3 } } });
    expect(await find('event_id', session_id)).toMatchObject([
      { event_name: 'chat', metrics: { helpful: 'yes', tone: 3 } },
    ]);
  });

  return started;
}

interface SentSpan {
  readonly spanId: string;
  readonly attributes: readonly object[];
}

/** Names of spans that start one after the other. */
const BY_START = ['root', 'child', 'leaf', 'late', 'parent', 'one', 'two'];

/** Spans of one trace, named; each is sent in a request of its own. A span of a name has the same ids whenever it is made. */
function aTrace(client: Client) {
  const trace = randomUUID().replaceAll('-', '');
  const ids = new Map<string, string>();
  const idOf = (name: string) => {
    const id = ids.get(name) ?? randomUUID().replaceAll('-', '').slice(16);
    ids.set(name, id);
    return id;
  };
  const start = BigInt(Date.now()) * 1_000_000n;
  const span = (name: string, parent?: string, attributes: Record<string, string> = {}) => {
    const spanId = idOf(name);
    const at = start + BigInt(BY_START.indexOf(name)) * 1_000_000n;
    const all = { 'honeyhive_metadata.marker': `${trace}/${spanId}`, ...attributes };
    return {
      traceId: trace,
      spanId,
      ...(parent === undefined ? {} : { parentSpanId: idOf(parent) }),
      name,
      startTimeUnixNano: String(at),
      endTimeUnixNano: String(at + 500_000n),
      attributes: Object.entries(all).map(([key, stringValue]) => ({ key, value: { stringValue } })),
    };
  };
  const send = async (...spans: SentSpan[]) => {
    const response = await client.post('/opentelemetry/v1/traces', {
      resourceSpans: [{ scopeSpans: [{ spans }] }],
    });
    expect([response.status, response.json()]).toEqual([200, {}]);
  };
  return { trace, span, send };
}

function markerOf({ attributes }: SentSpan): string {
  const [marker] = attributes as readonly { readonly value: { readonly stringValue: string } }[];
  return marker?.value.stringValue ?? '';
}
