import { createRequire } from 'node:module';

/** The parts of kafkajs's class that runs a consumer in its group. */
export interface RunnerClass {
  readonly prototype: {
    readonly running: boolean;
    readonly fetchManager: { readonly stop: () => Promise<void> };
    fetch: (nodeId: number) => Promise<readonly unknown[]>;
  };
}

const patched = new WeakSet<object>();

/**
 * Makes the fetch loops of a kafkajs consumer end after a stop. When the brokers change, kafkajs ends its loops, one for each broker, and
 * starts others. A stop in between ends the former ones alone: the others fetch nothing again and again without a pause, so that no timer of the
 * process runs any more, not even the one that ends it.
 */
export function patchStop(): void {
  const { prototype } = createRequire(__filename)('kafkajs/src/consumer/runner') as RunnerClass;
  if (patched.has(prototype)) return;
  patched.add(prototype);
  const { fetch } = prototype;
  prototype.fetch = function (nodeId) {
    if (!this.running) void this.fetchManager.stop();
    return fetch.call(this, nodeId);
  };
}
