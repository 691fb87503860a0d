import { setTimeout as delay } from 'node:timers/promises';
import type { Consumer, PartitionAssigner } from 'kafkajs';
import type { Logger } from '@assay/runtime';
import { observeJoins } from './kafkajs-join-patch.js';

export interface GroupMembershipOptions {
  /** Name of the group in log messages. */
  readonly group: string;
  readonly logger: Logger;
  /** Removes a member from the group, over a connection without pending requests. Succeeds if there is no such member. */
  removeMember(memberId: string): Promise<void>;
}

/** A broker states the id of a new member immediately, unless its response is lost. */
const IDENTIFY_MS = 5_000;

/**
 * The membership of a kafkajs consumer in its group. kafkajs sends LeaveGroup on the connection on which its JoinGroup waits for the other
 * members, so the broker would read it only after the rebalance; and it forgets the id of a member that it could not leave with. Members that
 * kafkajs cannot remove are removed here.
 */
export class GroupMembership {
  /** The id in the last JoinGroup request. */
  private memberId: string | undefined;
  private isMember = false;
  private isLeaving = false;
  /** Resolves when the id of the member that is joining is known, or joining has ended. */
  private identified: Promise<void> = Promise.resolve();
  private identify = (): void => undefined;
  /** Resolves when all removals that were started have ended. */
  private removals: Promise<void> = Promise.resolve();

  constructor(private readonly options: GroupMembershipOptions) {}

  /** Returns the assigner for a consumer that this membership follows. It refuses to join after {@link leave}. */
  assigner(assigner: PartitionAssigner): PartitionAssigner {
    return (config) => {
      const inner = assigner(config);
      return {
        ...inner,
        protocol: (subscription) => {
          this.assertStaying();
          const protocol = inner.protocol(subscription);
          this.joining();
          observeJoins(protocol, (memberId) => this.requested(memberId));
          return protocol;
        },
      };
    };
  }

  /** Follows the events of a consumer that was made with {@link assigner}. */
  follow(consumer: Pick<Consumer, 'on' | 'events'>): void {
    const { events } = consumer;
    consumer.on(events.GROUP_JOIN, ({ payload }) => {
      this.memberId = payload.memberId;
      this.isMember = true;
      this.identify();
      // Emitting the event is a step of joining, so an error ends the join as it would one of the broker.
      this.assertStaying();
    });
    consumer.on(events.CRASH, () => {
      this.isMember = false;
      this.identify();
    });
  }

  /** Whether the consumer may restart after a failure. */
  mayRestart(): boolean {
    return !this.isLeaving;
  }

  /**
   * Prevents further joins and removes the member, also while it joins. Returns false without removing one that is in its group, because
   * kafkajs removes that after the batch in progress.
   */
  async leave(): Promise<boolean> {
    this.isLeaving = true;
    if (this.isMember) return false;
    await Promise.race([this.identified, delay(IDENTIFY_MS, undefined, { ref: false })]);
    if (this.memberId !== undefined) this.remove(this.memberId);
    await this.removals;
    return true;
  }

  private joining(): void {
    this.isMember = false;
    this.identified = new Promise((resolve) => (this.identify = resolve));
  }

  private requested(memberId: string): void {
    if (memberId === '') return;
    // After a failure kafkajs joins as another member. The broker would wait for the former one until its session ends.
    if (this.memberId !== undefined && this.memberId !== memberId) this.remove(this.memberId);
    this.memberId = memberId;
    this.identify();
    this.assertStaying();
  }

  private remove(memberId: string): void {
    const { group, logger } = this.options;
    const removal = this.options
      .removeMember(memberId)
      .catch((error: unknown) => logger.warn('member could not be removed from its group', { group }, error));
    this.removals = Promise.all([this.removals, removal]).then(() => undefined);
  }

  private assertStaying(): void {
    if (!this.isLeaving) return;
    this.identify();
    throw new Error('the reader is stopping');
  }
}
