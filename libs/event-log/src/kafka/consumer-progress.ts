import type { Cluster, Consumer, PartitionAssigner } from 'kafkajs';
import { PartitionAssigners } from 'kafkajs';

/** Longest time to join the group: the other members have 60 s to finish their batches, and a lost one is waited for 30 s. */
const MAX_JOIN_MS = 90_000;
/** Longest fetch that is no fault of this process: the timeout of a request is 30 s, and metadata may be requested before. */
const MAX_FETCH_MS = 60_000;
/** The client starts the batches of a response immediately. */
const START_MS = 1_000;

/** The fetch loop of one broker. Times are those of the clock. */
interface FetchLoop {
  /** Last start or end of a fetch. */
  fetchAt: number;
  isFetching: boolean;
  /** Last sign of progress. */
  progressAt: number;
}

/**
 * Follows a consumer of kafkajs, which has a fetch loop for each broker: fetch, handle all batches of the response, fetch again. A loop
 * that waits for a batch handler or a broker makes progress; one that does neither is stuck, also when another loop is not.
 */
export class ConsumerProgress {
  private joiningSince: number | undefined;
  private cluster: Pick<Cluster, 'getNodeIds'> | undefined;
  private readonly loops = new Map<string, FetchLoop>();
  /** Start of each batch that is being handled. */
  private readonly batches = new Set<{ readonly startedAt: number }>();

  constructor(private readonly now: () => number = () => performance.now()) {
    this.joiningSince = now();
  }

  /** The client's own assigner, through which the client shows which brokers it reads from. */
  readonly assigner: PartitionAssigner = (config) => {
    this.cluster = config.cluster;
    return PartitionAssigners.roundRobin(config);
  };

  /** Follows the events of a consumer that was made with {@link assigner}. */
  follow(consumer: Pick<Consumer, 'on' | 'events'>): void {
    const { events } = consumer;
    const joining = () => void (this.joiningSince = this.now());
    consumer.on(events.CRASH, joining);
    consumer.on(events.REBALANCING, joining);
    consumer.on(events.GROUP_JOIN, () => {
      this.joiningSince = undefined;
      this.loops.clear();
      for (const broker of this.brokers()) this.loopOf(broker);
    });
    consumer.on(events.FETCH_START, ({ payload }) => this.fetched(payload, true));
    consumer.on(events.FETCH, ({ payload }) => this.fetched(payload, false));
  }

  /** Handles a batch. The loop whose response had it makes progress until it is handled. */
  async handle(handler: () => Promise<void>): Promise<void> {
    const batch = { startedAt: this.now() };
    this.batches.add(batch);
    try {
      await handler();
    } finally {
      this.batches.delete(batch);
      for (const loop of this.loops.values()) if (isOf(loop, batch)) loop.progressAt = this.now();
    }
  }

  /** Returns the milliseconds for which the loop of a broker, or joining the group, has made no progress. */
  idleMs(): number {
    if (this.joiningSince !== undefined) return this.elapsed(this.joiningSince, MAX_JOIN_MS);
    const brokers = this.brokers();
    for (const broker of this.loops.keys()) if (!brokers.includes(broker)) this.loops.delete(broker);
    return Math.max(0, ...brokers.map((broker) => this.idleMsOf(this.loopOf(broker))));
  }

  private fetched({ nodeId }: { readonly nodeId: number }, isFetching: boolean): void {
    const now = this.now();
    this.loops.set(String(nodeId), { fetchAt: now, isFetching, progressAt: now });
  }

  private idleMsOf(loop: FetchLoop): number {
    if (loop.isFetching) return this.elapsed(loop.fetchAt, MAX_FETCH_MS);
    for (const batch of this.batches) if (isOf(loop, batch)) return 0;
    return this.elapsed(loop.progressAt);
  }

  private elapsed(since: number, allowedMs = 0): number {
    return Math.max(0, this.now() - since - allowedMs);
  }

  private brokers(): string[] {
    return this.cluster?.getNodeIds().map(String) ?? [];
  }

  private loopOf(broker: string): FetchLoop {
    const now = this.now();
    const loop = this.loops.get(broker) ?? { fetchAt: now, isFetching: false, progressAt: now };
    this.loops.set(broker, loop);
    return loop;
  }
}

/** Whether a batch was in the last response of a loop. Batches of another loop that start in the same second are taken for its own. */
function isOf({ isFetching, fetchAt }: FetchLoop, { startedAt }: { readonly startedAt: number }): boolean {
  return !isFetching && startedAt >= fetchAt && startedAt <= fetchAt + START_MS;
}
