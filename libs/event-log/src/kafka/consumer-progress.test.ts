import { EventEmitter } from 'node:events';
import { Kafka, logLevel, type Consumer } from 'kafkajs';
import { ConsumerProgress } from './consumer-progress.js';

/** The names of events are those of the client; none of its methods is called. */
const { events } = new Kafka({ brokers: ['localhost:1'], logLevel: logLevel.NOTHING }).consumer({
  groupId: 'names',
});

/** A consumer of two brokers, whose events and clock the test controls. */
class SimulatedConsumer {
  readonly #emitter = new EventEmitter();
  #now = 1_000;
  brokers = [1, 2];
  readonly progress = new ConsumerProgress(() => this.#now);

  constructor() {
    const cluster = { getNodeIds: () => this.brokers };
    this.progress.assigner({ cluster } as Parameters<ConsumerProgress['assigner']>[0]);
    const on = (name: string, listener: (event: unknown) => void) => void this.#emitter.on(name, listener);
    this.progress.follow({ events, on } as unknown as Consumer);
  }

  emit(name: keyof typeof events, payload: object = {}): void {
    this.#emitter.emit(events[name], { payload });
  }

  fetch(nodeId: number): void {
    this.emit('FETCH_START', { nodeId });
    this.emit('FETCH', { nodeId });
  }

  pass(milliseconds: number): number {
    this.#now += milliseconds;
    return this.progress.idleMs();
  }

  /** Handles a batch until the returned function is called. */
  handle(): () => Promise<void> {
    let end = (): void => undefined;
    const handled = this.progress.handle(() => new Promise((resolve) => (end = resolve)));
    return () => {
      end();
      return handled;
    };
  }
}

describe('ConsumerProgress', () => {
  let consumer: SimulatedConsumer;

  beforeEach(() => {
    consumer = new SimulatedConsumer();
    consumer.emit('GROUP_JOIN');
  });

  it('grows when no broker is fetched from', () => {
    expect(consumer.pass(31_000)).toBe(31_000);
  });

  it('grows when the loop of one broker has stopped, although another broker is fetched from', () => {
    consumer.fetch(1);
    for (let second = 0; second < 40; second++) {
      consumer.fetch(2);
      consumer.pass(1_000);
    }
    expect(consumer.progress.idleMs()).toBe(40_000);
  });

  it('is zero while a batch handler runs, however long, and counts from its end', async () => {
    for (const broker of [1, 2]) consumer.fetch(broker);
    const end = consumer.handle();
    expect(consumer.pass(600_000)).toBe(0);
    await end();
    expect(consumer.pass(20_000)).toBe(20_000);
  });

  it('ends a handler that fails', async () => {
    for (const broker of [1, 2]) consumer.fetch(broker);
    await expect(consumer.progress.handle(() => Promise.reject(new Error('failed')))).rejects.toThrow(
      'failed',
    );
    expect(consumer.pass(31_000)).toBe(31_000);
  });

  it('does not take batches of another broker for progress of a stopped loop', () => {
    consumer.fetch(1);
    for (let second = 0; second < 40; second++) {
      consumer.pass(1_001);
      consumer.fetch(2);
      if (second === 20) consumer.handle();
    }
    expect(consumer.progress.idleMs()).toBe(40_040);
  });

  it('allows a fetch to take as long as its request may, and no longer', () => {
    consumer.fetch(2);
    consumer.emit('FETCH_START', { nodeId: 1 });
    for (let second = 0; second < 60; second++) {
      consumer.fetch(2);
      consumer.pass(1_000);
    }
    consumer.fetch(2);
    expect(consumer.progress.idleMs()).toBe(0);
    expect(consumer.pass(31_000)).toBe(31_000);
  });

  it.each(['REBALANCING', 'CRASH'] as const)('allows 90 s to join the group after %s', (name) => {
    consumer.pass(100_000);
    consumer.emit(name);
    expect(consumer.pass(90_000)).toBe(0);
    expect(consumer.pass(31_000)).toBe(31_000);
    consumer.emit('GROUP_JOIN');
    expect(consumer.progress.idleMs()).toBe(0);
  });

  it('forgets brokers that have left the cluster, and counts those that have joined it', () => {
    for (const broker of [1, 2]) consumer.fetch(broker);
    consumer.brokers = [2, 3];
    expect(consumer.progress.idleMs()).toBe(0);
    consumer.pass(31_000);
    consumer.fetch(2);
    expect(consumer.progress.idleMs()).toBe(31_000);
    consumer.fetch(3);
    expect(consumer.progress.idleMs()).toBe(0);
  });
});
