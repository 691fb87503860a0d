import { EventEmitter } from 'node:events';
import { createRequire } from 'node:module';
import { Kafka, logLevel, PartitionAssigners, type Assigner, type Consumer } from 'kafkajs';
import { silentLogger } from '@assay/testing';
import { GroupMembership } from './group-membership.js';

interface Request {
  encode(): Promise<{ readonly buffer: Buffer }>;
}

const load = createRequire(__filename);
const join = load('kafkajs/src/protocol/requests/joinGroup') as {
  protocol(version: object): (args: object) => { readonly request: Request };
};
const encodeAsKafkajs = load('kafkajs/src/protocol/requests/joinGroup/v5/request') as (
  args: object,
) => Request;
const ARGUMENTS = {
  groupId: 'g',
  protocolType: 'consumer',
  sessionTimeout: 30_000,
  rebalanceTimeout: 60_000,
};
const CONFIG = { cluster: {} } as Parameters<typeof PartitionAssigners.roundRobin>[0];
/** The names of events are those of the client; none of its methods is called. */
const { events } = new Kafka({ brokers: ['localhost:1'], logLevel: logLevel.NOTHING }).consumer({
  groupId: 'names',
});

/** A consumer whose requests to join and events the test controls, with the members that were removed from its group. */
class SimulatedConsumer {
  readonly removed: string[] = [];
  readonly #emitter = new EventEmitter();
  readonly #assigner: Assigner;
  readonly membership = new GroupMembership({
    group: 'g',
    logger: silentLogger,
    removeMember: (memberId) => Promise.resolve(void this.removed.push(memberId)),
  });

  constructor() {
    this.#assigner = this.membership.assigner(PartitionAssigners.roundRobin)(CONFIG);
    const on = (name: string, listener: (event: unknown) => void) => void this.#emitter.on(name, listener);
    this.membership.follow({ events, on } as unknown as Consumer);
  }

  /** Starts to join; the result makes a JoinGroup request with a member id, as kafkajs does up to twice. */
  startJoin(): (memberId: string) => { readonly request: Request } {
    const groupProtocols = [this.#assigner.protocol({ topics: ['events'] })];
    return (memberId) => join.protocol({ version: 5 })({ ...ARGUMENTS, groupProtocols, memberId });
  }

  joined(memberId: string): void {
    this.#emitter.emit(events.GROUP_JOIN, { payload: { memberId } });
  }

  crash(): void {
    this.#emitter.emit(events.CRASH, { payload: {} });
  }
}

describe('the membership of a consumer in its group', () => {
  let consumer: SimulatedConsumer;
  beforeEach(() => {
    consumer = new SimulatedConsumer();
  });

  it('leaves a member that has joined to the client', async () => {
    consumer.startJoin()('a');
    consumer.joined('a');
    await expect(consumer.membership.leave()).resolves.toBe(false);
    expect(consumer.removed).toEqual([]);
  });

  it('removes a member that waits for the response to its join', async () => {
    const request = consumer.startJoin();
    request('');
    request('a');
    await expect(consumer.membership.leave()).resolves.toBe(true);
    expect(consumer.removed).toEqual(['a']);
  });

  it('removes a member that waits for the response to a join again', async () => {
    consumer.startJoin()('a');
    consumer.joined('a');
    consumer.startJoin()('a');
    await consumer.membership.leave();
    expect(consumer.removed).toEqual(['a']);
  });

  it('removes a member whose id the broker states after the stop, and does not join with it', async () => {
    const request = consumer.startJoin();
    request('');
    const left = consumer.membership.leave();
    expect(() => request('a')).toThrow('the reader is stopping');
    await left;
    expect(consumer.removed).toEqual(['a']);
  });

  it('removes a member of a broker that states no id before the end of the join, and ends the join', async () => {
    consumer.startJoin()('');
    const left = consumer.membership.leave();
    expect(() => consumer.joined('a')).toThrow('the reader is stopping');
    await left;
    expect(consumer.removed).toEqual(['a']);
  });

  it('neither joins nor restarts after the stop', async () => {
    expect(consumer.membership.mayRestart()).toBe(true);
    await expect(consumer.membership.leave()).resolves.toBe(true);
    expect(() => consumer.startJoin()).toThrow('the reader is stopping');
    expect(consumer.membership.mayRestart()).toBe(false);
    expect(consumer.removed).toEqual([]);
  });

  it('stops waiting for the id of a member when its join fails', async () => {
    consumer.startJoin()('');
    const left = consumer.membership.leave();
    consumer.crash();
    await left;
    expect(consumer.removed).toEqual([]);
  });

  it('removes the member of a client that failed', async () => {
    consumer.startJoin()('a');
    consumer.joined('a');
    consumer.crash();
    await consumer.membership.leave();
    expect(consumer.removed).toEqual(['a']);
  });

  it('removes the former member when the client joins as another one', () => {
    consumer.startJoin()('a');
    consumer.joined('a');
    consumer.crash();
    const request = consumer.startJoin();
    request('');
    expect(consumer.removed).toEqual([]);
    request('b');
    expect(consumer.removed).toEqual(['a']);
  });

  it('does not change the bytes of a request', async () => {
    const { request } = consumer.startJoin()('a');
    const protocol = PartitionAssigners.roundRobin(CONFIG).protocol({ topics: ['events'] });
    const expected = encodeAsKafkajs({ ...ARGUMENTS, memberId: 'a', groupProtocols: [protocol] });
    expect((await request.encode()).buffer).toEqual((await expected.encode()).buffer);
  });
});
