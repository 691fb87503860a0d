import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { loadConfig } from '@assay/runtime';
import { evaluatorSettings } from './config.js';
import { startEvaluator } from './start-evaluator.js';

const DAY_MS = 86_400_000;

/** On real engines, of which one states another version or time. */
describe('the start of the evaluator', () => {
  const dir = mkdtempSync(join(tmpdir(), 'assay-evaluator-start-'));
  let clickHouse: Server;
  let stated: { version: string; time: string };

  beforeAll(async () => {
    clickHouse = createServer((request, response) => {
      void text(request).then(async (sent) => {
        if (sent.startsWith('SELECT version() AS version, toString(')) {
          response.end(`${JSON.stringify(stated)}\n`);
          return;
        }
        const { method = 'POST', url = '' } = request;
        const sentOn = await fetch(new URL(url, process.env.CLICKHOUSE_URL), { method, body: sent });
        response.writeHead(sentOn.status).end(await sentOn.text());
      });
    }).listen(0, '127.0.0.1');
    await once(clickHouse, 'listening');
  });
  afterAll(() => {
    clickHouse.close();
    rmSync(dir, { recursive: true, force: true });
  });

  it.each([
    [
      'an old ClickHouse',
      { version: '20.3.1', aheadMs: 0 },
      /^ClickHouse version: 20\.3\.1 is older than 25\.8, upgrade/,
    ],
    [
      'a clock that is ten years ahead',
      { version: '25.9', aheadMs: 3_650 * DAY_MS },
      /^ClickHouse clock: is \d+ s ahead/,
    ],
  ])('is refused with %s, in a sentence and with exit code 78', async (_, { version, aheadMs }, message) => {
    stated = { version, time: String(Date.now() + aheadMs) };
    const config = loadConfig(evaluatorSettings, {
      ASSAY_PORT: '0',
      ASSAY_ADMIN_PORT: '0',
      ASSAY_DATA_DIR: dir,
      LOG_LEVEL: 'error',
      KAFKA_BROKERS: process.env.KAFKA_BROKERS,
      KAFKA_TOPIC_PREFIX: `test-${Date.now()}-${version}-`,
      KAFKA_PARTITIONS: '1',
      KAFKA_REPLICATION_FACTOR: '1',
      CLICKHOUSE_URL: `http://127.0.0.1:${(clickHouse.address() as AddressInfo).port}`,
      CONTROL_PLANE_URL: 'http://127.0.0.1:9',
      CONTROL_PLANE_TOKEN: 'control-plane-token-of-the-test',
    });
    await expect(startEvaluator(config, () => undefined)).rejects.toMatchObject({
      exitCode: 78,
      message: expect.stringMatching(message) as string,
    });
  });
});
