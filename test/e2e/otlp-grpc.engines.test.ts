import { freePort } from '../harness/stack/free-port.js';
import { onStack } from '../harness/stack/on-stack.js';
import { enginesFromEnvironment, startSplit } from '../harness/stack/start-split.js';
import { grpcTests } from './otlp-grpc.js';

/** Ingestion receives the calls; everything else goes through the data plane. */
describe('OTLP over gRPC on separate services', () => {
  let address = '';
  const { stack } = onStack(async () => {
    const port = String(await freePort());
    address = `127.0.0.1:${port}`;
    return startSplit(enginesFromEnvironment(), { ingestion: { ASSAY_OTLP_GRPC_PORT: port } });
  });

  grpcTests(stack, () => address);
});
