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

  /** Returns the service whose span has this name, and belongs or links to the trace, once there is one. */
  const serviceOf = async (name: string, trace: string) => {
    const span = await waitFor(`the span ${name}`, () =>
      receiver
        .spans()
        .find(
          ({ name: its, traceId, links }) =>
            its === name && (traceId === trace || links.some((link) => link.traceId === trace)),
        ),
    );
    return span.resource['service.name'];
  };

  it('follow a request through the log in Kafka to the processes that store, evaluate and forward it', async () => {
    const trace = randomBytes(16).toString('hex');
    const headers = { traceparent: `00-${trace}-${randomBytes(8).toString('hex')}-01` };
    expect((await client.post('/v1/events', EVENT, { headers })).status).toBe(200);
    const names = ['POST /v1/events', 'append to the log', 'store batch', 'evaluate batch', 'forward batch'];
    const services = await Promise.all(names.map((name) => serviceOf(name, trace)));
    expect(services).toEqual([
      'assay-ingestion',
      'assay-ingestion',
      'assay-data-plane',
      'assay-evaluator',
      'assay-data-plane',
    ]);
  });
});
