import { randomUUID } from 'node:crypto';
import { waitFor } from '@assay/testing';
import { startKafka } from '../harness/engines/kafka/start-kafka.js';
import { startClickHouse } from '../harness/engines/start-clickhouse.js';
import { Client, type ApiResponse } from '../harness/stack/client.js';
import { enginesFromEnvironment, startSplit } from '../harness/stack/start-split.js';
import type { Stack } from '../harness/stack/stack.js';

type Kafka = Awaited<ReturnType<typeof startKafka>>;
type ClickHouse = Awaited<ReturnType<typeof startClickHouse>>;

describe('separate services during an outage of an engine', () => {
  let kafka: Kafka;
  let clickHouse: ClickHouse;
  let stack: Stack;
  let client: Client;
  beforeAll(async () => {
    [kafka, clickHouse] = await Promise.all([startKafka(), startClickHouse()]);
    stack = await startSplit({
      ...enginesFromEnvironment(),
      kafkaBrokers: kafka.brokers,
      clickhouseUrl: clickHouse.url,
    });
    client = new Client(stack);
  }, 180_000);
  afterAll(async () => {
    await stack.stop();
    await kafka.stop();
  }, 60_000);

  const event = (marker: string) => ({
    event_id: randomUUID(),
    event_type: 'tool',
    inputs: {},
    metadata: { marker },
  });
  const expectUnavailable = (response: ApiResponse) => {
    expect(response.json()).toMatchObject({ statusCode: 503, success: false, errorCode: 'UNAVAILABLE' });
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  };
  const countOf = async (marker: string) =>
    (
      await client.search({
        filters: [{ field: 'metadata.marker', operator: 'is', value: marker, type: 'string' }],
      })
    ).count;

  it('respond 503 within 10 seconds without Kafka, and a retry after the outage stores one event', async () => {
    const [marker, otlp] = [randomUUID(), { resourceSpans: [] }];
    const body = event(marker);
    await kafka.kill('SIGKILL');
    const startedAt = Date.now();
    expectUnavailable(await client.post('/v1/events', body));
    expect(Date.now() - startedAt).toBeLessThan(10_000);
    await kafka.restart();
    await waitFor(
      'events are accepted again',
      async () => (await client.post('/v1/events', body)).status === 200,
      { withinMs: 120_000 },
    );
    expect((await client.post('/opentelemetry/v1/traces', otlp)).status).toBe(200);
    expect(
      await waitFor('it is stored', async () => (await countOf(marker).catch(() => 0)) || undefined, {
        withinMs: 120_000,
      }),
    ).toBe(1);
  }, 150_000);

  it('accept events without ClickHouse and respond 503 to reads', async () => {
    await clickHouse.stop();
    expect((await client.post('/v1/events', event(randomUUID()))).status).toBe(200);
    expectUnavailable(await client.post('/v1/events/search', { limit: 1 }, { timeoutMs: 60_000 }));
  }, 90_000);
});
