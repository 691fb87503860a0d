import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitFor } from '@assay/testing';
import type { Client } from '../harness/stack/client.js';
import type { Stack } from '../harness/stack/stack.js';
import { MODEL_KEY, REFUSED, type onFakeModel } from './judge-journey.js';

const PATIENT = { withinMs: 120_000, pollIntervalMs: 100 } as const;
const LLM = { type: 'LLM', model_provider: 'openai', model_name: 'gpt-4o' };

/** Checks, after the other journeys, that no process has written the key of the model, and no response has it. */
export function loggedKeyJourney(
  { stack, client }: { readonly stack: Stack; readonly client: Client },
  model: ReturnType<typeof onFakeModel>,
): void {
  it('writes the key of a model to no log and no response, also when the model quotes it', async () => {
    const event_name = `quoted key ${randomUUID()}`;
    const filterArray = [
      { field: 'event_name', operator: 'is', value: event_name, type: 'string' },
      { field: 'event_type', operator: 'is not', value: 'session', type: 'string' },
    ];
    const metric = { ...LLM, name: 'quoted', criteria: `${REFUSED} ${event_name}`, filters: { filterArray } };
    const enabled = { enabled_in_prod: true, sampling_percentage: 100 };
    expect((await client.post('/v1/metrics', { ...metric, ...enabled })).status).toBe(200);
    const sent = await client.post('/v1/events', {
      event_type: 'model',
      event_name,
      inputs: {},
      outputs: {},
    });
    const { event_id } = sent.json<{ event_id: string }>();
    const headers = { prefer: 'wait=30' };
    const evaluations = () => client.call('GET', `/v1/events/${event_id}/evaluations`, { headers });
    await waitFor('an error', async () => (await evaluations()).text.includes('"error"'), PATIENT);
    const responses = [
      await evaluations(),
      await client.post('/v1/metrics/run', { metric, event: {} }),
      await client.post('/v1/metrics/try', { metric, event_ids: [event_id] }, { headers }),
    ];
    expect(
      model.requestsWith(event_name).every((request) => request.headers.authorization?.includes(MODEL_KEY)),
    ).toBe(true);
    expect(model.requestsWith(event_name).length).toBeGreaterThan(responses.length);
    expect(responses.filter(({ text }) => text.includes(MODEL_KEY))).toEqual([]);
    const logs = readdirSync(stack.dir).filter((name) => name.endsWith('.log'));
    expect(logs.length).toBe(stack.services.length);
    expect(logs.filter((name) => readFileSync(join(stack.dir, name), 'utf8').includes(MODEL_KEY))).toEqual(
      [],
    );
  }, 240_000);
}
