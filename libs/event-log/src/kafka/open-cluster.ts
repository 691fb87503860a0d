import { PartitionAssigners, type Cluster, type Kafka } from 'kafkajs';

/** Returns a cluster of kafkajs with connections of its own, which is not connected yet. */
export function openCluster(kafka: Kafka): Cluster {
  let cluster: Cluster | undefined;
  // kafkajs gives its cluster to assigners only. The consumer never joins a group.
  kafka.consumer({
    groupId: 'assay-inspection',
    partitionAssigners: [
      (config) => {
        cluster = config.cluster;
        return PartitionAssigners.roundRobin(config);
      },
    ],
  });
  if (cluster === undefined) throw new Error('kafkajs did not create the assigner of a consumer');
  return cluster;
}
