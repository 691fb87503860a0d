import { randomUUID } from 'node:crypto';
import { env } from 'node:process';
import { encodeRequest } from '@assay/otlp';
import { requestJson, spanJson } from '@assay/otlp/test/otlp-request';
import type { Client } from '../harness/stack/client.js';
import { layeredTrace, seededRandom } from './layered-calls.js';

const TRACES = 40;

/** Totals of sessions whose calls several libraries and gateways see. Runs the same against every way to run Assay. */
export function layeredCallsJourney({ client }: { readonly client: Client }): void {
  const send = async (spans: readonly object[], encoding: 'json' | 'protobuf') => {
    const request = requestJson([...spans]);
    const response = await client.call('POST', '/opentelemetry/v1/traces', {
      bytes: encoding === 'json' ? JSON.stringify(request) : encodeRequest(request),
      headers: { 'content-type': encoding === 'json' ? 'application/json' : 'application/x-protobuf' },
    });
    expect([response.status, encoding === 'json' ? response.text : '{}']).toEqual([200, '{}']);
  };
  const totalsOf = async (sessionId: string) => {
    const headers = { prefer: 'wait=30' };
    const response = await client.call('GET', `/v1/events/${sessionId}`, { headers });
    const { event } = response.json<{ event: { metadata: Record<string, unknown> } }>();
    const { prompt_tokens: prompt, completion_tokens: completion, total_tokens: total } = event.metadata;
    return { prompt, completion, total };
  };

  it('counts each call of a session once, however many see it, in any order and encoding', async () => {
    const seed = Number(env.SEED ?? Date.now() % 1_000_000_007);
    const random = seededRandom(seed);
    const traces = Array.from({ length: TRACES }, () => layeredTrace(random));
    const spans = traces.flatMap((trace) => trace.spans);
    // Spans of all traces arrive together, and those of one trace in several requests.
    const order = spans
      .map((span) => [random(1_000_000), span] as const)
      .sort(([one], [other]) => one - other);
    for (let from = 0, length = 0; from < order.length; from += length) {
      length = 1 + random(200);
      const request = order.slice(from, from + length).map(([, span]) => span);
      await send(request, random(2) === 0 ? 'json' : 'protobuf');
    }
    for (const { sessionId, prompt, completion } of traces)
      expect({ seed, ...(await totalsOf(sessionId)) }).toEqual({
        ...{ seed, prompt, completion, total: prompt + completion },
      });
  });

  it('counts different calls of different sessions although they have one response id', async () => {
    const call = (sessionId: string, traceId: string, input: number) =>
      spanJson({
        traceId,
        spanId: randomUUID().replaceAll('-', '').slice(16),
        attributes: {
          ...{ 'session.id': sessionId, 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'gpt-4o' },
          ...{ 'gen_ai.response.id': 'chatcmpl-0', 'gen_ai.usage.input_tokens': input },
          'gen_ai.usage.output_tokens': 1,
        },
      });
    const trace = () => randomUUID().replaceAll('-', '');
    const [one, other, shared] = [randomUUID(), randomUUID(), trace()];
    // Two traces, two sessions in one trace, and equal counts.
    const calls = [
      call(one, trace(), 10),
      call(other, trace(), 20),
      call(one, shared, 300),
      call(other, shared, 300),
    ];
    for (const encoding of ['json', 'protobuf'] as const) await send(calls, encoding);
    expect([await totalsOf(one), await totalsOf(other)]).toEqual([
      { prompt: 310, completion: 2, total: 312 },
      { prompt: 320, completion: 2, total: 322 },
    ]);
  });
}
