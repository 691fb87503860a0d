import { randomUUID } from 'node:crypto';
import { waitFor } from '@assay/testing';
import type { Client } from '../harness/stack/client.js';
import type { onFakeModel } from './judge-journey.js';

/** Beyond 2^53, beyond 64 bits, and negative. */
const IDS = ['9007199254740993', '123456789012345678901234567890', '-9223372036854775809'] as const;
const NEIGHBOUR = '9007199254740992';
const LIST = `[${IDS.join(',')}]`;
const JSON_HEADERS = { 'content-type': 'application/json', prefer: 'wait=30' };
const PATIENT = { withinMs: 90_000, pollIntervalMs: 100 } as const;

/** Python reads its event as JSON: an integer that a double has passed through has other digits. */
const CRITERIA = [
  'ids = [inputs["id"], inputs["deep"][0]["id"], outputs["id"], config["id"], metadata["id"], feedback["id"]]',
  'ids += [user_properties["id"], inputs["id"] + 1]',
  'result = " ".join(str(one) for one in [*ids, *outputs["list"]])',
].join('\n');
const PROMPT =
  'Rate {{ inputs.id }} {{ inputs.id + 1 }} {{ inputs.deep }} {{ outputs | tojson }} {{ metadata.id }}';
/** What both show of an event. */
const SEEN_IN_PYTHON = [...Array.from({ length: 7 }, () => IDS[0]), '9007199254740994', ...IDS].join(' ');
const SEEN_IN_PROMPT =
  `Rate ${IDS[0]} 9007199254740994 [{'id': ${IDS[0]}}] ` +
  `{"id": ${IDS[0]}, "list": [${IDS.join(', ')}]} ${IDS[0]}`;

const fieldsWith = (id: string) =>
  `"inputs":{"id":${id},"deep":[{"id":${id}}]},"outputs":{"id":${id},"list":${LIST}},"config":{"id":${id}},` +
  `"metadata":{"id":${id}},"feedback":{"id":${id}},"user_properties":{"id":${id}}`;

/** Integers that no double holds, as metrics in Python, prompts of judges and filters of metrics see them. */
export function exactIntegerMetricsJourney(
  { client }: { readonly client: Client },
  model: ReturnType<typeof onFakeModel>,
): void {
  const send = async (path: string, bytes: string) => {
    const response = await client.call('POST', path, { bytes, headers: JSON_HEADERS });
    expect([path, response.status, response.text]).toEqual([path, 200, expect.any(String)]);
    return response;
  };
  const createEvent = async (name: string, id: string = IDS[0]) => {
    const event = `{"event_type":"tool","event_name":"${name}",${fieldsWith(id)}}`;
    return (await send('/v1/events', event)).json<{ event_id: string }>().event_id;
  };
  const python = { name: 'digits', type: 'PYTHON', return_type: 'string', criteria: CRITERIA };
  const judge = {
    ...{ name: 'judged digits', type: 'LLM', criteria: PROMPT },
    ...{ model_provider: 'openai', model_name: 'gpt-4o' },
  };
  const promptsWith = (text: string) =>
    model
      .requestsWith(text)
      .map(({ body }) => (body.messages as { content: string }[] | undefined)?.at(-1)?.content);
  const evaluationsOf = async (id: string) => {
    const headers = { prefer: 'wait=30' };
    const response = await client.call('GET', `/v1/events/${id}/evaluations`, { headers });
    return response.json<{ evaluations: { metric_name: string; decision: string; value: unknown }[] }>()
      .evaluations;
  };

  it('shows integers beyond 2^53 digit for digit to metrics of the request', async () => {
    for (const path of ['/v1/metrics/run', '/v1/metrics/run_metric']) {
      const run = async (metric: object) =>
        (
          await send(path, `{"metric":${JSON.stringify(metric)},"event":{${fieldsWith(IDS[0])}}}`)
        ).json<object>();
      expect(await run(python)).toMatchObject({ result: SEEN_IN_PYTHON });
      expect(await run({ ...judge, criteria: `${path} ${PROMPT}` })).toMatchObject({ result: 4 });
      expect(promptsWith(`${path} Rate`)).toEqual([`${path} ${SEEN_IN_PROMPT}`]);
    }
  });

  it('shows integers beyond 2^53 digit for digit to drafts on stored events', async () => {
    const id = await createEvent(`draft ${randomUUID()}`);
    const attempt = async (metric: object) =>
      (await send('/v1/metrics/try', JSON.stringify({ metric, event_ids: [id] }))).json<object>();
    expect(await attempt(python)).toMatchObject({ events: [{ value: SEEN_IN_PYTHON, error: null }] });
    expect(await attempt(judge)).toMatchObject({
      events: [{ value: 4, prompt: expect.stringContaining(SEEN_IN_PROMPT) as string }],
    });
  });

  it('evaluates events whose integers beyond 2^53 the filters of a metric name, and not their neighbours', async () => {
    const name = `digits ${randomUUID()}`;
    const filters =
      `{"filterArray":[{"field":"event_name","operator":"is","value":"${name}","type":"string"},` +
      `{"field":"inputs.id","operator":"is","value":${IDS[0]},"type":"number"}]}`;
    for (const one of [python, { ...judge, criteria: `${name} ${PROMPT}` }]) {
      const metric = JSON.stringify({ ...one, enabled_in_prod: true, sampling_percentage: 100 });
      await send('/v1/metrics', `${metric.slice(0, -1)},"filters":${filters}}`);
    }
    const [id, other] = [await createEvent(name), await createEvent(name, NEIGHBOUR)];
    const decisions = async (event: string) =>
      Object.fromEntries(
        (await evaluationsOf(event)).map(({ metric_name, decision }) => [metric_name, decision]),
      );
    for (const [event, decision] of [
      [id, 'scored'],
      [other, 'not_matching'],
    ] as const)
      await waitFor(
        `decision ${decision}`,
        async () => {
          const found = await decisions(event);
          return found.digits === decision && found['judged digits'] === decision;
        },
        PATIENT,
      );
    expect(await evaluationsOf(id)).toContainEqual(
      expect.objectContaining({ metric_name: 'digits', value: SEEN_IN_PYTHON }),
    );
    expect(promptsWith(`${name} Rate`)).toEqual([`${name} ${SEEN_IN_PROMPT}`]);
  });
}
