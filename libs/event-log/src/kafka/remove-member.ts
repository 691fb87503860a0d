import type { Broker, Kafka } from 'kafkajs';
import { protocolTypeOf } from './kafka-failure.js';
import { openCluster } from './open-cluster.js';

/** A member of a consumer group. */
export interface GroupMember {
  readonly groupId: string;
  readonly memberId: string;
}

/** kafkajs documents this method of its brokers, but does not declare it. */
interface Coordinator extends Broker {
  leaveGroup(member: GroupMember): Promise<unknown>;
}

/**
 * Sends LeaveGroup for a member to the coordinator of its group, on a connection of its own. Succeeds if there is no such member. Rejects with
 * the errors of kafkajs.
 * @param topic of which metadata are read to find the brokers
 */
export async function removeMember(kafka: Kafka, topic: string, member: GroupMember): Promise<void> {
  const cluster = openCluster(kafka);
  try {
    await cluster.connect();
    await cluster.addTargetTopic(topic);
    const coordinator = await cluster.findGroupCoordinator({ groupId: member.groupId });
    if (!canLeaveGroup(coordinator)) throw new Error('this version of kafkajs cannot send LeaveGroup');
    await coordinator.leaveGroup(member);
  } catch (error) {
    if (protocolTypeOf(error) !== 'UNKNOWN_MEMBER_ID') throw error;
  } finally {
    await cluster.disconnect();
  }
}

function canLeaveGroup(broker: Broker): broker is Coordinator {
  return 'leaveGroup' in broker && typeof broker.leaveGroup === 'function';
}
