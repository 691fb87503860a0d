import { randomUUID } from 'node:crypto';
import { waitFor } from '@assay/testing';
import { Client } from '../harness/stack/client.js';
import type { Stack } from '../harness/stack/stack.js';
import { startEmbeddedSplit, type EmbeddedSplit } from '../harness/stack/start-embedded-split.js';
import { exactIntegerResourcesJourney } from './exact-integer-resources-journey.js';

/** Integers that cross from a data plane to a control plane of its own. */
describe.each([
  ['unredacted values', {}],
  ['redacted values', { REDACT_VALUES: 'true', REDACT_ALLOW: 'marker' }],
])('exact integers on two processes with %s', (_, settings) => {
  let started: EmbeddedSplit | undefined;
  beforeAll(async () => {
    started = await startEmbeddedSplit(settings);
  }, 120_000);
  afterAll(async () => expect(await started?.stop()).toBe(true), 60_000);
  const split = new Proxy({} as EmbeddedSplit, {
    get: (_target, name) => Reflect.get(started ?? {}, name) as unknown,
  });
  const client = new Client(split satisfies Pick<Stack, 'baseUrl' | 'apiKey'>);
  const isRedacted = 'REDACT_VALUES' in settings;

  exactIntegerResourcesJourney({ client }, { isRedacted });

  it('are forwarded with every digit, and not at all where values are redacted', async () => {
    const [marker, id, input] = [randomUUID(), '90071992547409931234', '-90071992547409937777'];
    const filters = `{"filterArray":[{"field":"metadata.id","operator":"is","value":${id},"type":"number"}]}`;
    const headers = { 'content-type': 'application/json' };
    const post = (path: string, bytes: string) => client.call('POST', path, { bytes, headers });
    await post('/v1/queues', `{"name":"${marker}","filters":${filters}}`);
    const event = `"inputs":{"id":${input}},"metadata":{"marker":"${marker}","id":${id}}`;
    expect((await post('/v1/events', `{"event_type":"tool",${event}}`)).status).toBe(200);
    const crossed = () => split.proxy.readable().toString();
    const forwarded = `"metadata":{"marker":"${marker}","id":${id}`;
    await waitFor('the event is forwarded', () => Promise.resolve(crossed().includes(forwarded)), {
      withinMs: 90_000,
    });
    expect(crossed().includes(`"inputs":{"id":${isRedacted ? 0 : input}}`)).toBe(true);
    if (isRedacted) expect(crossed()).not.toContain(input.slice(1));
  });
});
