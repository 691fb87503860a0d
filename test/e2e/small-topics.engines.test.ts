import { Kafka, logLevel } from 'kafkajs';
import { onStack } from '../harness/stack/on-stack.js';
import { enginesFromEnvironment, randomName, startSplit } from '../harness/stack/start-split.js';

const MESSAGE_BYTES = 1_048_576;
/** What docs/operations.md states for topics of 1 MiB. */
const LARGEST_EVENT = 786_432;

async function startOnSmallTopics() {
  const engines = enginesFromEnvironment();
  const name = randomName();
  const admin = new Kafka({ brokers: engines.kafkaBrokers.split(','), logLevel: logLevel.NOTHING }).admin();
  await admin.connect();
  const configEntries = [{ name: 'max.message.bytes', value: String(MESSAGE_BYTES) }];
  await admin.createTopics({
    topics: ['events', 'events-dead-letters'].map((topic) => ({
      topic: `test-${name}-${topic}`,
      numPartitions: 2,
      replicationFactor: 1,
      configEntries,
    })),
  });
  await admin.disconnect();
  return startSplit(engines, { name, everywhere: { MAX_EVENT_BYTES: String(MESSAGE_BYTES) } });
}

/** Text that compression makes no smaller than three quarters. */
const randomText = (bytes: number) => {
  let state = 1;
  const letter = () => (state = (state * 48_271) % 2_147_483_647) % 90;
  return Array.from({ length: bytes }, () => String.fromCharCode(35 + letter()))
    .join('')
    .replaceAll('\\', '_');
};

describe('services on topics that take 1 MiB', () => {
  const { client } = onStack(startOnSmallTopics);
  const event = (text: string) => ({ event_type: 'tool', event_name: 'large', inputs: { text } });

  it('store the largest event and its updates, and refuse a larger one with its limit', async () => {
    const text = randomText(LARGEST_EVENT - 2_000);
    const created = await client.post('/v1/events', event(text));
    expect(created.status).toBe(200);
    const { event_id } = created.json<{ event_id: string }>();
    const updated = await client.call('PUT', '/v1/events', {
      body: { event_id, outputs: { text: text.slice(0, 700_000) } },
    });
    expect(updated.status).toBe(200);
    const stored = await client.call('GET', `/v1/events/${event_id}`, { headers: { prefer: 'wait=30' } });
    expect(stored.json<{ event: object }>().event).toMatchObject({
      inputs: { text },
      outputs: { text: text.slice(0, 700_000) },
    });

    const refused = await client.post('/v1/events', event(randomText(LARGEST_EVENT + 10)));
    expect([refused.status, refused.json()]).toMatchObject([413, { errorCode: 'PAYLOAD_TOO_LARGE' }]);
    expect(refused.text).toContain(`${LARGEST_EVENT} bytes`);
  });

  it('store a larger span without its largest value, and say so', async () => {
    const traceId = '5b8efff798038103d269b633813fc60c';
    const attributes = [
      { key: 'gen_ai.operation.name', value: { stringValue: 'execute_tool' } },
      { key: 'small', value: { stringValue: 'kept' } },
      { key: 'large', value: { stringValue: randomText(2_000_000) } },
    ];
    const span = {
      traceId,
      spanId: 'eee19b7ec3c1b174',
      name: 'large span',
      startTimeUnixNano: '1767225600000000000',
      endTimeUnixNano: '1767225601000000000',
      attributes,
    };
    const sent = await client.post('/v1/traces', { resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] });
    expect(sent.status).toBe(200);
    expect(sent.text).toContain('partialSuccess');
    const { events } = await client.search({
      filters: [
        { field: 'event_name', operator: 'is', value: 'large span', type: 'string' },
        { field: 'event_type', operator: 'is', value: 'tool', type: 'string' },
      ],
    });
    expect(events).toHaveLength(1);
    const [stored = {}] = events;
    expect(JSON.stringify(stored)).toContain('kept');
    expect(JSON.stringify(stored)).toContain('assay_truncated');
    expect(JSON.stringify(stored).length).toBeLessThan(LARGEST_EVENT);
  });
});
