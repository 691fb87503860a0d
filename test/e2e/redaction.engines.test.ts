import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startRecordingProxy, type RecordingProxy } from '../harness/stack/recording-proxy.js';
import { enginesFromEnvironment, startSplit } from '../harness/stack/start-split.js';
import { redactionJourney } from './redaction-journey.js';

describe('redaction on separate services, observed on the connections of the control plane', () =>
  redactionJourney(async () => {
    const proxies: RecordingProxy[] = [];
    const tap = async (target: string) => {
      const proxy = await startRecordingProxy(target);
      proxies.push(proxy);
      return proxy.address;
    };
    const stack = await startSplit(enginesFromEnvironment(), { dataPlane: { REDACT_VALUES: 'true' }, tap });
    const logs = ['control-plane', 'data-plane', 'ingestion'].map((name) => join(stack.dir, `${name}.log`));
    const seen = () =>
      Promise.resolve(
        Buffer.concat([...proxies.map((proxy) => proxy.bytes()), ...logs.map((log) => readFileSync(log))]),
      );
    const stop = async () => {
      const clean = await stack.stop();
      for (const proxy of proxies) await proxy.close();
      return clean;
    };
    return { stack, seen, seesRequests: true, stop };
  }));
