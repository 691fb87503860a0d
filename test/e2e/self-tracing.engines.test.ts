import { randomBytes } from 'node:crypto';
import { waitFor } from '@assay/testing';
import { startOtlpReceiver, type OtlpReceiver } from '../harness/otlp/otlp-receiver.js';
import { onStack } from '../harness/stack/on-stack.js';
import { enginesFromEnvironment, startSplit } from '../harness/stack/start-split.js';

const EVENT = { event_type: 'tool', event_name: 'traced', inputs: {} };

describe('the traces of separate services', () => {
  let receiver: OtlpReceiver;
  const { client } = onStack(async () => {
    receiver = await startOtlpReceiver();
    return startSplit(enginesFromEnvironment(), {
      everywhere: {
        OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
        OTEL_TRACES_SAMPLER: 'parentbased_always_off',
        OTEL_BSP_SCHEDULE_DELAY: '100',
      },
    });
  });
  afterAll(() => receiver.stop());

  /** Waits for a span of this name, of a service, that belongs or links to the trace. */
  const spanOf = (service: string, name: string, trace: string) =>
    waitFor(`the span ${name} of ${service}`, () =>
      receiver
        .spans()
        .find(
          ({ name: its, traceId, links, resource }) =>
            its === name &&
            resource['service.name'] === service &&
            (traceId === trace || links.some((link) => link.traceId === trace)),
        ),
    );

  it('follow a request through the log in Kafka to the processes that store, evaluate and forward it', async () => {
    const trace = randomBytes(16).toString('hex');
    const headers = { traceparent: `00-${trace}-${randomBytes(8).toString('hex')}-01` };
    expect((await client.post('/v1/events', EVENT, { headers })).status).toBe(200);
    // The data plane proxies the request to ingestion.
    const request = await spanOf('assay-data-plane', 'POST /v1/events', trace);
    const proxied = await spanOf('assay-ingestion', 'POST /v1/events', trace);
    expect(proxied.parentSpanId).toBe(request.spanId);
    expect((await spanOf('assay-ingestion', 'append to the log', trace)).parentSpanId).toBe(proxied.spanId);
    for (const [service, name] of [
      ['assay-data-plane', 'store batch'],
      ['assay-evaluator', 'evaluate batch'],
      ['assay-data-plane', 'forward batch'],
    ] as const)
      expect((await spanOf(service, name, trace)).traceId).not.toBe(trace);
  });
});
