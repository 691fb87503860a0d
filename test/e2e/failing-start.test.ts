import { execFileSync, spawn } from 'node:child_process';

import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { startReadOnlyServer } from '@assay/document-store/test/read-only-server';
import { createChdbEventStore } from '@assay/event-store/chdb';
import { own } from '@assay/testing';
import { freePort } from '../harness/stack/free-port.js';
import { repository } from '../harness/stack/repository.js';
import { ServiceProcess } from '../harness/stack/service-process.js';
import { NO_GRPC, startStandalone } from '../harness/stack/start-standalone.js';

const ENTRY = 'deploy/standalone/dist/main.js';
/** A start that fails must not retry for the time that a start with an unavailable dependency may take. */
const FAILS_WITHIN_MS = 30_000;
const PUBLIC_ADMIN_PORT = 'the admin port is public and requires no key';
const TEN_YEARS_MS = 10 * 365 * 24 * 3_600_000;

/** Starts the process, expects that it exits, and returns its exit code and output, without log lines. */
async function failedStart(
  environment: Readonly<Record<string, string>>,
  entry = ENTRY,
  ...args: readonly string[]
) {
  const child = own(
    spawn(process.execPath, [join(repository, entry), ...args], {
      env: {
        PATH: process.env.PATH,
        ASSAY_PORT: '0',
        ASSAY_ADMIN_PORT: '0',
        ...(entry === ENTRY ? NO_GRPC : {}),
        LOG_LEVEL: 'error',
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      signal: AbortSignal.timeout(FAILS_WITHIN_MS),
    }),
  );
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (output.stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output.stderr += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, ...output };
}

describe('a start of the standalone process that fails', () => {
  const dir = mkdtempSync(join(tmpdir(), 'assay-failing-start-'));
  const dataDir = join(dir, 'data');
  afterAll(() => rmSync(dir, { recursive: true, force: true }));

  it('names a port that is in use; the next start prints the first key, its admin port on the loopback address', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const port = String((server.address() as AddressInfo).port);
    const advice = ', or 0 for no OTLP over gRPC';
    for (const [name = '', more = ''] of [
      ['ASSAY_PORT'],
      ['ASSAY_ADMIN_PORT'],
      ['ASSAY_OTLP_GRPC_PORT', advice],
    ]) {
      const failed = await failedStart({ ASSAY_DATA_DIR: dataDir, [name]: port });
      expect(failed).toEqual({
        code: 1,
        stdout: '',
        stderr: `cannot listen on 127.0.0.1:${port}, the port is already in use; ${name} names another one${more}\n`,
      });
    }
    server.close();
    const environment = {
      ...NO_GRPC,
      ASSAY_HOST: '0.0.0.0',
      ASSAY_DATA_DIR: dataDir,
      ASSAY_PORT: port,
      ASSAY_ADMIN_PORT: String(await freePort()),
    };
    const started = await ServiceProcess.start({
      name: 'standalone',
      entry: ENTRY,
      logDir: dir,
      environment,
    });
    const key = started.printedKey ?? '';
    const response = await fetch(`${started.baseUrl}/v1/projects`, {
      headers: { authorization: `Bearer ${key}` },
    });
    expect(response.status).toBe(200);
    expect(await started.end('SIGTERM')).toBe(0);
    // The public address of ASSAY_HOST is that of clients alone.
    expect(started.adminUrl).toMatch(/^http:\/\/127\.0\.0\.1:/);
    expect(readFileSync(join(dir, 'standalone.log'), 'utf8')).not.toContain(PUBLIC_ADMIN_PORT);
  });

  it('names an event store whose epochs are used up, as an error of the configuration', async () => {
    const folder = join(dir, 'used-up');
    const store = createChdbEventStore({ dir: join(folder, 'events') });
    await store.administration.migrate();
    const partitions = new Map([[0, { first: 0, position: 1 }]]);
    await store.writer.recordLogEpoch({ epoch: 511, log: 'a log that is no longer here', partitions });
    await store.administration.close();
    expect(await failedStart({ ASSAY_DATA_DIR: folder })).toEqual({
      code: 78,
      stdout: '',
      stderr: 'the event store has used all of its 512 epochs\n',
    });
  });

  it('names a data folder that another process uses', async () => {
    const stack = await startStandalone();
    const failed = await failedStart({ ASSAY_DATA_DIR: join(stack.dir, 'data') });
    expect(failed).toMatchObject({ code: 1, stdout: '' });
    const folder = join(stack.dir, 'data', 'log');
    expect(failed.stderr).toBe(
      `the folder ${folder} is in use by process ${stack.pid('standalone')}: stop it, or set ASSAY_DATA_DIR to another folder\n`,
    );
    expect(await stack.stop()).toBe(true);
  });

  it('names a data folder that a newer version has written, and leaves it as it is', async () => {
    const folder = join(dir, 'newer');
    mkdirSync(folder);
    writeFileSync(join(folder, 'version'), '0.10.0\n');
    expect(await failedStart({ ASSAY_DATA_DIR: folder })).toEqual({
      code: 78,
      stdout: '',
      stderr:
        `the data folder ${folder} was written by Assay 0.10.0, this is 0.1.0: ` +
        'start that version or a newer one, or set ASSAY_DATA_DIR to another folder\n',
    });
    expect(readdirSync(folder)).toEqual(['version']);
  });

  it('names a data folder that is a file, as an error of the configuration', async () => {
    const file = join(dir, 'file');
    writeFileSync(file, '');
    for (const path of [file, join(file, 'below')]) {
      const failed = await failedStart({ ASSAY_DATA_DIR: path });
      expect(failed).toMatchObject({ code: 78, stdout: '' });
      expect(failed.stderr).toMatch(/^the configuration has 1 error:\n {2}- ASSAY_DATA_DIR [^\n]*\n$/);
    }
  });

  it('names a data folder that is not writable', async () => {
    const readOnly = mkdtempSync(join(tmpdir(), 'assay-read-only-'));
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'ro', 'tmpfs', readOnly]);
    try {
      for (const path of [readOnly, join(readOnly, 'below')]) {
        const failed = await failedStart({ ASSAY_DATA_DIR: path });
        expect(failed).toEqual({ code: 1, stdout: '', stderr: `the data folder ${path} is not writable\n` });
      }
    } finally {
      execFileSync('umount', ['-l', readOnly]);
      rmSync(readOnly, { recursive: true });
    }
  });
});

describe('a start of the control plane that fails', () => {
  const entry = 'services/control-plane/dist/main.js';

  it('names the missing rights of the user of MongoDB, as an error of the configuration', async () => {
    const server = await startReadOnlyServer();
    const failed = await failedStart(
      { MONGODB_URL: server.url, KEY_PEPPER: 'pepper-of-the-failing-start' },
      entry,
    );
    await server.stop();
    expect(failed).toEqual({
      code: 78,
      stdout: '',
      stderr:
        'the user lacks rights at MongoDB, grant it the role readWrite on the database MONGODB_DATABASE\n',
    });
  });
});

describe('a start on an engine that does not fit', () => {
  const advice = 'synchronise the clocks of both machines, for example with NTP';

  it.each([
    [
      'MongoDB of an unsupported version',
      { version: '3.6.23' },
      /^MongoDB version: 3\.6\.23 is older than [\d.]+, upgrade it to [\d.]+ or newer\n$/,
    ],
    [
      'MongoDB whose clock is ten years ahead',
      { aheadMs: TEN_YEARS_MS },
      new RegExp(`^MongoDB clock: is 31\\d{7} s ahead of this process, ${advice}\n$`),
    ],
  ])('is refused by the control plane with a sentence: %s', async (_, options, sentence) => {
    const server = await startReadOnlyServer(options);
    const settings = { MONGODB_URL: server.url, KEY_PEPPER: 'pepper-of-the-failing-start' };
    const failed = await failedStart(settings, 'services/control-plane/dist/main.js');
    await server.stop();
    expect(failed).toEqual({ code: 78, stdout: '', stderr: expect.stringMatching(sentence) as string });
  });

  it.each([
    [
      'ClickHouse of an unsupported version',
      { version: '23.8.16.40', aheadMs: 0 },
      /^ClickHouse version: 23\.8\.16\.40 is older than [\d.]+, upgrade it to [\d.]+ or newer\n$/,
    ],
    [
      'ClickHouse whose clock is ten years behind',
      { version: '26.1.1.1', aheadMs: -TEN_YEARS_MS },
      new RegExp(`^ClickHouse clock: is -31\\d{7} s ahead of this process, ${advice}\n$`),
    ],
  ])('is refused by migrate with a sentence: %s', async (_, { version, aheadMs }, sentence) => {
    const row = () => JSON.stringify({ version, time: String(Date.now() + aheadMs) });
    // It has no settings and no tables.
    const server = createHttpServer(async (request, response) => {
      const isInspection = (await text(request)).includes('version() AS version, toString(');
      response.end(isInspection ? `${row()}\n` : '');
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const entry = 'services/data-plane/dist/main.js';
    const failed = await failedStart({ CLICKHOUSE_URL: url }, entry, 'migrate');
    server.close();
    expect(failed).toEqual({ code: 78, stdout: '', stderr: expect.stringMatching(sentence) as string });
  });
});

describe('ASSAY_ADMIN_HOST', () => {
  it('is logged as a warning when it is a public address', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'assay-admin-host-'));
    const ports = { ...NO_GRPC, ASSAY_PORT: '0', ASSAY_ADMIN_PORT: '0', ASSAY_DATA_DIR: join(dir, 'data') };
    const environment = { ...ports, ASSAY_ADMIN_HOST: '0.0.0.0' };
    const open = await ServiceProcess.start({ name: 'open', entry: ENTRY, logDir: dir, environment });
    expect(open.adminUrl).toMatch(/^http:\/\/0\.0\.0\.0:/);
    await open.end('SIGTERM');
    expect(readFileSync(join(dir, 'open.log'), 'utf8')).toContain(PUBLIC_ADMIN_PORT);
    rmSync(dir, { recursive: true });
  });
});
