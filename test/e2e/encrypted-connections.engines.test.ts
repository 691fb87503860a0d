import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { createTestAuthority } from '@assay/runtime/test/test-certificates';
import { openKafkaEventLog } from '@assay/event-log/kafka';
import { own, silentLogger } from '@assay/testing';
import { startKafka, type Kafka } from '../harness/engines/kafka/start-kafka.js';
import { startTlsRelay, type TlsRelay } from '../harness/engines/tls-relay.js';
import { sendOverTls } from '../harness/stack/https-client.js';
import { repository } from '../harness/stack/repository.js';
import { enginesFromEnvironment, startSplit } from '../harness/stack/start-split.js';
import type { Stack } from '../harness/stack/stack.js';

const dir = mkdtempSync(join(tmpdir(), 'assay-encrypted-'));
const authority = createTestAuthority(dir, 'authority');
const otherCaFile = createTestAuthority(dir, 'other-authority').caFile;
const [server, client] = [authority.issue('server'), authority.issue('client')];
const { caFile } = authority;
const [username, password] = ['assay', 'password-of-the-test'];
const CLIENT_FILES = { CA_FILE: caFile, CERT_FILE: client.certFile, KEY_FILE: client.keyFile };

function filesOf(prefix: string): Record<string, string> {
  return Object.fromEntries(Object.entries(CLIENT_FILES).map(([name, path]) => [`${prefix}_${name}`, path]));
}

let kafka: Kafka;
let relays: { clickhouse: TlsRelay; mongodb: TlsRelay };
/** Settings of the connections to the engines. */
let engines: Record<string, string>;

beforeAll(async () => {
  const { clickhouseUrl, mongodbUrl } = enginesFromEnvironment();
  const keystoreFile = join(dir, 'keystore.pem');
  writeFileSync(keystoreFile, readFileSync(server.keyFile, 'utf8') + readFileSync(server.certFile, 'utf8'));
  kafka = await startKafka({ secure: { keystoreFile, caFile, username, password } });
  relays = {
    clickhouse: await startTlsRelay({ target: new URL(clickhouseUrl).host, server, caFile }),
    mongodb: await startTlsRelay({ target: new URL(mongodbUrl).host, server, caFile }),
  };
  engines = {
    KAFKA_BROKERS: kafka.secureBrokers ?? '',
    KAFKA_TLS: 'true',
    KAFKA_SASL_MECHANISM: 'plain',
    KAFKA_SASL_USERNAME: username,
    KAFKA_SASL_PASSWORD: password,
    CLICKHOUSE_URL: `https://${relays.clickhouse.address}`,
    MONGODB_URL: `mongodb://${relays.mongodb.address}/?directConnection=true`,
    ...filesOf('KAFKA'),
    ...filesOf('CLICKHOUSE'),
    ...filesOf('MONGODB'),
  };
}, 120_000);

afterAll(async () => {
  await kafka.stop();
  await Promise.all([relays.clickhouse.close(), relays.mongodb.close()]);
  rmSync(dir, { recursive: true, force: true });
});

describe('the services with TLS and client certificates on every connection', () => {
  let stack: Stack;
  const headers = () => ({ authorization: `Bearer ${stack.apiKey}`, 'content-type': 'application/json' });

  beforeAll(async () => {
    stack = await startSplit(enginesFromEnvironment(), {
      protocol: 'https',
      everywhere: {
        ...engines,
        ...filesOf('CONTROL_PLANE'),
        ...filesOf('INGESTION'),
        ...filesOf('EVALUATOR'),
        ASSAY_TLS_CERT_FILE: server.certFile,
        ASSAY_TLS_KEY_FILE: server.keyFile,
        ASSAY_TLS_CLIENT_CA_FILE: caFile,
      },
      evaluator: { PYTHON_METRIC_TIMEOUT_MS: '5000' },
    });
  }, 120_000);
  afterAll(async () => expect(await stack.stop()).toBe(true));

  it('store an event that arrives through the data plane and return it', async () => {
    const event_id = randomUUID();
    const event = { event_id, event_type: 'tool', event_name: 'lookup', inputs: {} };
    const url = `${stack.baseUrl}/v1/events`;
    const tls = { caFile, client };
    const created = await sendOverTls(url, { ...tls, method: 'POST', headers: headers(), body: event });
    expect(created.status).toBe(200);
    const waiting = { ...headers(), prefer: 'wait=30' };
    const read = await sendOverTls(`${url}/${event_id}`, { ...tls, headers: waiting });
    expect(JSON.parse(read.body)).toMatchObject({ event: { event_id } });
    const projects = await sendOverTls(`${stack.baseUrl}/v1/projects`, { ...tls, headers: headers() });
    expect(projects.status).toBe(200);
  }, 60_000);

  it('run a metric in the evaluator through the data plane', async () => {
    const metric = { name: 'length', type: 'PYTHON', criteria: 'result = len(outputs["content"])' };
    const body = { metric, event: { outputs: { content: 'four' } } };
    const url = `${stack.baseUrl}/v1/metrics/run`;
    const run = await sendOverTls(url, { caFile, client, method: 'POST', headers: headers(), body });
    expect([run.status, JSON.parse(run.body)]).toMatchObject([200, { success: true, result: 4 }]);
  }, 60_000);
});

describe('the event log with SCRAM', () => {
  it.each(['scram-sha-256', 'scram-sha-512'] as const)(
    'appends after authentication by %s',
    async (mechanism) => {
      const credentials = { cert: readFileSync(client.certFile), key: readFileSync(client.keyFile) };
      const log = await openKafkaEventLog({
        brokers: [kafka.secureBrokers ?? ''],
        tls: () => ({ ca: readFileSync(caFile), ...credentials }),
        sasl: { mechanism, username, password },
        topicPrefix: `${mechanism}-`,
        partitions: 1,
        replicationFactor: 1,
        logger: silentLogger,
        onCrash: () => undefined,
      });
      await log.append([{ key: 'k', value: Buffer.from('v'), headers: {} }]);
      expect(await log.end()).toEqual(new Map([[0, 1]]));
      await log.close();
    },
  );
});

describe('a start with a connection that cannot work', () => {
  const services = {
    KAFKA_REPLICATION_FACTOR: '1',
    CONTROL_PLANE_URL: 'http://127.0.0.1:9',
    CONTROL_PLANE_TOKEN: 'token-of-the-data-plane',
  };

  /** Starts a process that has to exit, and returns its exit code and its output without log lines. */
  async function failedStart(
    service: string,
    settings: Record<string, string | undefined>,
    ...args: string[]
  ) {
    const child = own(
      spawn(process.execPath, [join(repository, `services/${service}/dist/main.js`), ...args], {
        env: { PATH: process.env.PATH, LOG_LEVEL: 'error', ...settings },
        stdio: ['ignore', 'ignore', 'pipe'],
        signal: AbortSignal.timeout(60_000),
      }),
    );
    const [stderr] = await Promise.all([text(child.stderr), once(child, 'close')]);
    return { status: child.exitCode, stderr };
  }

  it.each([
    [
      'a wrong password',
      { KAFKA_SASL_PASSWORD: 'another-password' },
      'the credentials are refused by the Kafka brokers, check KAFKA_SASL_MECHANISM, KAFKA_SASL_USERNAME and KAFKA_SASL_PASSWORD',
    ],
    [
      'a wrong password with SCRAM',
      { KAFKA_SASL_MECHANISM: 'scram-sha-256', KAFKA_SASL_PASSWORD: 'another-password' },
      'the credentials are refused by the Kafka brokers, check KAFKA_SASL_MECHANISM, KAFKA_SASL_USERNAME and KAFKA_SASL_PASSWORD',
    ],
    [
      'brokers of another authority',
      { KAFKA_CA_FILE: otherCaFile },
      'the certificate of the Kafka brokers is not signed by a trusted authority, set KAFKA_CA_FILE to the right one',
    ],
    [
      'no client certificate',
      { KAFKA_CERT_FILE: undefined, KAFKA_KEY_FILE: undefined },
      'the certificate of this process is refused by the Kafka brokers, check KAFKA_CERT_FILE and KAFKA_KEY_FILE',
    ],
  ])('names %s of Kafka', async (_name, settings, sentence) => {
    expect(await failedStart('ingestion', { ...engines, ...services, ...settings })).toEqual({
      status: 78,
      stderr: `${sentence}\n`,
    });
  });

  it('names a ClickHouse of another authority, also for the migrations', async () => {
    expect(
      await failedStart('data-plane', { ...engines, CLICKHOUSE_CA_FILE: otherCaFile }, 'migrate'),
    ).toEqual({
      status: 78,
      stderr:
        'the certificate of ClickHouse is not signed by a trusted authority, set CLICKHOUSE_CA_FILE to the right one\n',
    });
  });

  it('names a MongoDB of another authority', async () => {
    const other = { KEY_PEPPER: 'pepper-of-the-encrypted-test', MONGODB_CA_FILE: otherCaFile };
    expect(await failedStart('control-plane', { ...engines, ...other })).toEqual({
      status: 78,
      stderr:
        'the certificate of MongoDB is not signed by a trusted authority, set MONGODB_CA_FILE to the right one\n',
    });
  });
});
