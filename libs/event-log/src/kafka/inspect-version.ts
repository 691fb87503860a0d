import type { ApiVersions, Kafka } from 'kafkajs';
import type { Finding } from '@assay/runtime';
import { openCluster } from './open-cluster.js';

/** Keys of requests in the protocol. */
const FETCH = 1;
const METADATA = 3;
/** The metadata request that has the ids of topics: Kafka 2.8. */
const TOPIC_IDS = 10;
/** Newest version of a fetch request, and the release that introduced it (`FetchRequest.json` of Kafka). Brokers do not state their release. */
const RELEASES: readonly (readonly [fetch: number, release: string])[] = [
  [18, '4.1'],
  [17, '3.9'],
  [16, '3.7'],
  [15, '3.5'],
  [13, '3.1'],
];
/** Kafka 4.0 has removed older fetch requests than this. */
const OLDEST_FETCH_OF_4 = 4;

/**
 * Asks the controller which requests it supports, on a connection of its own. Rejects when it cannot be reached.
 * @param topic of which metadata are read to find the controller
 */
export async function inspectVersion(kafka: Kafka, topic: string): Promise<Finding> {
  const cluster = openCluster(kafka);
  try {
    await cluster.connect();
    await cluster.addTargetTopic(topic);
    const broker = await cluster.findControllerBroker();
    return toFinding(await broker.apiVersions());
  } finally {
    await cluster.disconnect();
  }
}

/** Returns the oldest release that supports the requests. */
export function toFinding(versions: ApiVersions): Finding {
  const name = 'Kafka version';
  if ((versions[METADATA]?.maxVersion ?? 0) < TOPIC_IDS)
    return {
      name,
      ok: false,
      detail: 'is older than 2.8, a topic that was created again is not recognised',
      advice: 'upgrade it to 2.8 or newer',
      mayStart: true,
    };
  const { minVersion = 0, maxVersion = 0 } = versions[FETCH] ?? {};
  const [, release = '2.8'] = RELEASES.find(([fetch]) => maxVersion >= fetch) ?? [];
  const isFour = release === '3.9' && minVersion >= OLDEST_FETCH_OF_4;
  return { name, ok: true, detail: `${isFour ? '4.0' : release} or newer` };
}
