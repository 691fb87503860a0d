import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Kafka, logLevel } from 'kafkajs';
import { onStack } from '../harness/stack/on-stack.js';
import { repository } from '../harness/stack/repository.js';
import { enginesFromEnvironment, randomName, startSplit } from '../harness/stack/start-split.js';

const program = join(repository, 'services/data-plane/dist/main.js');

/** Runs the data plane with an argument or until it ends. */
async function run(environment: Record<string, string>, ...args: string[]) {
  const env = { PATH: process.env.PATH ?? '', ...environment };
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [program, ...args], { env });
    return { code: 0, output: stdout };
  } catch (error) {
    const { code, stderr } = error as { code: number; stderr: string };
    return { code, output: stderr };
  }
}

describe('a data plane whose readers run in another process', () => {
  const { stack } = onStack(() => startSplit(enginesFromEnvironment(), { separateReaders: true }));
  const headers = () => ({ authorization: `Bearer ${stack.apiKey}`, 'content-type': 'application/json' });

  it('answers a read that waits for a write', async () => {
    for (let round = 0; round < 5; round++) {
      const event_id = randomUUID();
      const written = await fetch(`${stack.baseUrl}/v1/events`, {
        method: 'POST',
        headers: headers(),
        body: JSON.stringify({ event_type: 'tool', event_id, inputs: { round } }),
      });
      expect(written.status).toBe(200);
      const read = await fetch(`${stack.baseUrl}/v1/events/${event_id}`, {
        headers: { ...headers(), prefer: 'wait=30' },
      });
      expect([read.status, await read.json()]).toMatchObject([
        200,
        { event: { event_id, inputs: { round } } },
      ]);
    }
  });

  it('serves no route in the process of the readers, and reports its readiness', async () => {
    expect((await fetch(`${stack.urlOf('readers')}/v1/events/${randomUUID()}`)).status).toBe(404);
    expect((await fetch(`${stack.adminUrl('readers')}/readyz`)).status).toBe(200);
    expect((await fetch(`${stack.adminUrl('data-plane')}/readyz`)).status).toBe(200);
  });
});

describe('CLICKHOUSE_MIGRATE=false', () => {
  const { clickhouseUrl: CLICKHOUSE_URL, kafkaBrokers } = enginesFromEnvironment();
  const name = randomName();
  const settings = {
    CLICKHOUSE_URL,
    CLICKHOUSE_DATABASE: `test_${name}`,
    CLICKHOUSE_MIGRATE: 'false',
    KAFKA_BROKERS: kafkaBrokers,
    KAFKA_TOPIC_PREFIX: `test-${name}-`,
    KAFKA_PARTITIONS: '1',
    KAFKA_REPLICATION_FACTOR: '1',
    CONTROL_PLANE_URL: 'http://127.0.0.1:1',
    CONTROL_PLANE_TOKEN: 'control-plane-token-of-the-test',
    INGESTION_URL: 'http://127.0.0.1:1',
  };

  it('refuses the start with one sentence until migrate has been run', async () => {
    const refused = await run(settings);
    expect(refused.code).toBe(78);
    expect(refused.output).toContain('the tables of the event store lack the migrations 1, ');
    expect(refused.output).not.toContain('    at ');
    for (let round = 0; round < 2; round++) {
      const migrated = await run({ CLICKHOUSE_URL, CLICKHOUSE_DATABASE: `test_${name}` }, 'migrate');
      expect(migrated).toEqual({ code: 0, output: 'the tables of the event store are up to date\n' });
    }
  });

  it('refuses topics with too few replicas, or that do not take the largest record, with one sentence', async () => {
    const topic = `Kafka topic test-${name}-events`;
    const few = await run({ ...settings, KAFKA_REPLICATION_FACTOR: '2' });
    expect([few.code, few.output.split('\n')[0]]).toEqual([
      78,
      `${topic}: 1 partitions with 1 replicas, KAFKA_REPLICATION_FACTOR is 2, add replicas to the topic, or set KAFKA_REPLICATION_FACTOR=1 if that is intended`,
    ]);
    const admin = new Kafka({ brokers: kafkaBrokers.split(','), logLevel: logLevel.NOTHING }).admin();
    await admin.connect();
    const setSize = (value: string) => {
      const configEntries = [{ name: 'max.message.bytes', value }];
      const resources = [{ type: 2, name: `test-${name}-events`, configEntries }];
      return admin.alterConfigs({ validateOnly: false, resources });
    };
    await setSize('1000000');
    const small = await run(settings);
    expect([small.code, small.output]).toEqual([
      78,
      expect.stringMatching(
        new RegExp(
          `^${topic} max\\.message\\.bytes: 1000000 is too small for the largest event, set max\\.message\\.bytes of the topic to \\d+, or MAX_EVENT_BYTES=1000000\\n$`,
        ),
      ),
    ]);
    await setSize(/to (\d+), or /.exec(small.output)?.[1] ?? '');
    await admin.disconnect();
  });

  it('refuses a read-only user with one sentence, with and without migrations', async () => {
    const readOnly = { CLICKHOUSE_USERNAME: 'readonly', CLICKHOUSE_PASSWORD: 'any' };
    const refused = {
      code: 78,
      output:
        'the user may only read at ClickHouse, remove the setting readonly from its profile or set CLICKHOUSE_USERNAME to another user; ' +
        'processes that only read can have readonly = 2\n',
    };
    expect(await run({ ...settings, ...readOnly })).toEqual(refused);
    const { CLICKHOUSE_DATABASE } = settings;
    expect(await run({ CLICKHOUSE_URL, CLICKHOUSE_DATABASE, ...readOnly }, 'migrate')).toEqual(refused);
  });

  it('refuses a database of something else with one sentence, and changes nothing', async () => {
    const other = `test_other_${name}`;
    const query = async (sql: string) => (await fetch(CLICKHOUSE_URL, { method: 'POST', body: sql })).text();
    await query(`CREATE DATABASE ${other}`);
    await query(`CREATE TABLE ${other}.events (n UInt8) ENGINE = Memory`);
    const refused = {
      code: 78,
      output: `the database ${other} has tables of the same names that are not of this event store (events): set CLICKHOUSE_DATABASE to another name\n`,
    };
    expect(await run({ CLICKHOUSE_URL, CLICKHOUSE_DATABASE: other }, 'migrate')).toEqual(refused);
    expect(await run({ ...settings, CLICKHOUSE_DATABASE: other, CLICKHOUSE_MIGRATE: 'true' })).toEqual(
      refused,
    );
    expect(await query(`SHOW TABLES FROM ${other}`)).toBe('events\n');
  });

  it('ends migrate with a sentence when ClickHouse cannot be reached, and for an unknown argument', async () => {
    const unreachable = await run({ CLICKHOUSE_URL: 'http://127.0.0.1:1' }, 'migrate');
    expect([unreachable.code, unreachable.output.includes('    at ')]).toEqual([1, false]);
    expect((await run({}, 'remove')).code).toBe(2);
    expect((await run({ CLICKHOUSE_URL: 'here' }, 'migrate')).code).toBe(78);
  });
});
