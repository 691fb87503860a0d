import { EventEmitter } from 'node:events';
import { createRequire } from 'node:module';
import { silentLogger } from '@assay/testing';
import { patchStop } from './kafkajs-stop-patch.js';

interface Runner {
  start(): Promise<void>;
  stop(): Promise<void>;
}

const load = createRequire(__filename);
const RunnerOfKafkajs = load('kafkajs/src/consumer/runner') as new (options: object) => Runner;

/** More than a stop needs; without a bound, loops that do not end would keep the process from ending the test. */
const MAX_LOOKS = 10_000;

/** A group whose fetches wait. A broker is added while they do. */
class Group {
  readonly groupId = 'group';
  readonly memberId = 'member';
  brokers = [1, 2];
  hasLeft = false;
  private looks = 0;
  private readonly fetches = new Map<number, () => void>();

  getNodeIds(): number[] {
    if (this.looks++ > MAX_LOOKS) throw new Error('the loops do not end');
    return this.brokers;
  }

  /** Resolves when {@link respond} is called for the broker. */
  fetch(nodeId: number): Promise<readonly unknown[]> {
    return new Promise((resolve) => this.fetches.set(nodeId, () => resolve([])));
  }

  respond(nodeId: number): void {
    this.fetches.get(nodeId)?.();
  }

  readonly connect = () => Promise.resolve();
  readonly joinAndSync = () => Promise.resolve();
  readonly heartbeat = () => Promise.resolve();
  readonly leave = () => {
    this.hasLeft = true;
    return Promise.resolve();
  };
}

const logger: object = { ...silentLogger, namespace: () => logger };
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('a consumer of kafkajs that stops', () => {
  it('leaves its group, also when its loops were ending because the brokers have changed', async () => {
    patchStop();
    const group = new Group();
    const crashes: unknown[] = [];
    const runner = new RunnerOfKafkajs({
      logger,
      consumerGroup: group,
      instrumentationEmitter: new EventEmitter(),
      concurrency: 1,
      eachBatch: () => Promise.resolve(),
      onCrash: (error: unknown) => crashes.push(error),
      retry: { retries: 0 },
    });
    await runner.start();
    await turn();
    group.brokers = [1, 2, 3];
    group.respond(1);
    // The loop of broker 1 has found the change; those of the others are waited for.
    await turn();
    const stopped = runner.stop();
    group.respond(2);
    await stopped;
    expect([group.hasLeft, crashes]).toEqual([true, []]);
  });
});
