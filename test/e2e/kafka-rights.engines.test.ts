import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import {
  AclOperationTypes,
  AclPermissionTypes,
  AclResourceTypes,
  Kafka as Client,
  logLevel,
  ResourcePatternTypes,
  type AclEntry,
} from 'kafkajs';
import { removeDeadLetters, replayDeadLetters, type ConsumedRecord, type EventLog } from '@assay/event-log';
import { openKafkaEventLog } from '@assay/event-log/kafka';
import { explainRefusal, KAFKA } from '@assay/runtime';
import { silentLogger, waitFor } from '@assay/testing';
import { startKafka, type Kafka } from '../harness/engines/kafka/start-kafka.js';
import { repository } from '../harness/stack/repository.js';

let kafka: Kafka;
const logs: EventLog[] = [];
/** Whose token the service gives next. */
let user = '';

/** Gives a JSON Web Token without a signature, which the broker of the test takes. */
const service = createServer((_, response) => {
  const now = Math.floor(Date.now() / 1_000);
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const token = `${part({ alg: 'none' })}.${part({ sub: user, iat: now, exp: now + 3_600 })}.`;
  response.end(JSON.stringify({ access_token: token, expires_in: 3_600 }));
});

beforeAll(async () => {
  kafka = await startKafka({ takesTokens: true });
  await once(service.listen(0, '127.0.0.1'), 'listening');
}, 120_000);
afterEach(async () => {
  await Promise.all(logs.splice(0).map((log) => log.close()));
}, 60_000);
afterAll(async () => {
  service.closeAllConnections();
  service.close();
  await kafka.stop();
});

async function openAs(name: string): Promise<EventLog> {
  user = name;
  const tokenUrl = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  const client = { tokenUrl, clientId: name, clientSecret: 'secret-of-the-client' };
  const log = await explainRefusal(KAFKA, () =>
    openKafkaEventLog({
      brokers: [kafka.tokenBrokers ?? ''],
      topicPrefix: 'assay-',
      partitions: 2,
      replicationFactor: 1,
      sasl: { mechanism: 'oauthbearer', client },
      logger: silentLogger,
      onCrash: () => undefined,
    }),
  );
  logs.push(log);
  return log;
}

/** The commands of the document, as the entries that they add. */
function documentedRights(): AclEntry[] {
  const document = readFileSync(join(repository, 'docs/operations.md'), 'utf8');
  const commands = [...document.matchAll(/^kafka-acls\.sh --add (.+)$/gm)].map(
    ([, options]) => options ?? '',
  );
  expect(commands).toHaveLength(4);
  return commands.flatMap((options) => {
    const one = (name: string) => new RegExp(`--${name} (\\S+)`).exec(options)?.[1] ?? '';
    const [topic, group] = [one('topic'), one('group')];
    expect(one('resource-pattern-type')).toBe('prefixed');
    return [...options.matchAll(/--operation (\w+)/g)].map(([, operation = '']) => ({
      resourceType: topic === '' ? AclResourceTypes.GROUP : AclResourceTypes.TOPIC,
      resourceName: topic === '' ? group : topic,
      resourcePatternType: ResourcePatternTypes.PREFIXED,
      principal: one('allow-principal'),
      host: '*',
      operation:
        AclOperationTypes[
          operation.replace(/(?<!^)([A-Z])/g, '_$1').toUpperCase() as keyof typeof AclOperationTypes
        ],
      permissionType: AclPermissionTypes.ALLOW,
    }));
  });
}

describe('users of Kafka', () => {
  it('without rights end the start with a sentence', async () => {
    await expect(openAs('assay-readers')).rejects.toMatchObject({
      exitCode: 78,
      message: expect.stringContaining('at the Kafka brokers, allow it to describe') as string,
    });
  }, 60_000);

  it('with exactly the documented rights run ingestion and readers', async () => {
    const admin = new Client({ brokers: [kafka.brokers], logLevel: logLevel.NOTHING }).admin();
    await admin.createAcls({ acl: documentedRights() });
    await admin.disconnect();
    const readers = await openAs('assay-readers');
    const ingestion = await openAs('assay-ingestion');
    await ingestion.append([{ key: 'k', value: Buffer.from('v'.repeat(10_000)), headers: {} }]);
    expect([...(await ingestion.end()).values()].reduce((sum, offset) => sum + offset, 0)).toBe(1);
    await ingestion.position('store');
    const received: ConsumedRecord[] = [];
    const reader = await readers.read({
      group: 'store',
      maxRecords: 10,
      maxBytes: 1 << 20,
      lingerMs: 0,
      onBatch: async (batch, notes) => {
        await notes.write('noted');
        expect(await notes.read()).toBe('noted');
        received.push(...batch);
      },
    });
    await waitFor('the record is read', () => received.length === 1, { withinMs: 60_000 });
    const [record] = received;
    if (record === undefined) throw new Error('nothing was read');
    expect(await readers.deadLetter(record, { group: 'store', errorClass: 'VALIDATION_ERROR' })).toBe(true);
    expect(await readers.deadLetters(10)).toHaveLength(1);
    expect(await replayDeadLetters(readers, 10)).toBe(1);
    await waitFor('the replayed record is read', () => received.length === 2, { withinMs: 60_000 });
    expect(await readers.deadLetter(record, { group: 'store', errorClass: 'VALIDATION_ERROR' })).toBe(true);
    expect(await removeDeadLetters(readers, { limit: 10 })).toBe(1);
    expect(await readers.deadLetters(10)).toEqual([]);
    for (const log of [readers, ingestion]) {
      await log.check();
      expect(await log.identity()).not.toContain('no-topic-id');
      expect((await log.inspect()).filter(({ ok }) => !ok)).toEqual([]);
    }
    await reader.stop();
  }, 180_000);
});
