import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { configLists } from './config-list.js';
import { ConfigError, loadConfig, misspeltNames } from './load-config.js';
import {
  choice,
  flag,
  httpUrl,
  integer,
  list,
  networks,
  origins,
  required,
  secret,
  text,
} from './settings.js';

const declaration = {
  host: text('ASSAY_HOST', { default: '127.0.0.1', description: 'address to listen on' }),
  port: integer('ASSAY_PORT', { default: 8090, min: 0, max: 65535, description: 'port' }),
  redact: flag('REDACT_VALUES', { default: false, description: 'redact' }),
  level: choice('LOG_LEVEL', ['error', 'info'], { default: 'info', description: 'level' }),
  url: required(httpUrl('CLICKHOUSE_URL', { description: 'where ClickHouse listens' })),
  brokers: list('KAFKA_BROKERS', { default: ['a:1'], description: 'brokers' }),
  key: secret('ASSAY_API_KEY', { minLength: 20, description: 'first key' }),
};
const minimal = { CLICKHOUSE_URL: 'http://127.0.0.1:8123/' };

function problemsOf(environment: Record<string, string>): readonly string[] {
  try {
    loadConfig(declaration, environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

describe('networks', () => {
  const { read } = networks('TRUSTED_PROXIES', { description: 'proxies' });

  it('accepts addresses and networks of both families and defaults to none', () => {
    expect(read(undefined)).toEqual([]);
    expect(read('10.0.0.1, 192.168.0.0/16,fd00::/8,::1')).toEqual([
      '10.0.0.1',
      '192.168.0.0/16',
      'fd00::/8',
      '::1',
    ]);
  });

  it.each([
    'proxy.internal',
    '10.0.0.0/33',
    '::/129',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    '10.0.0',
    '10.0.0.1 10.0.0.2',
  ])('refuses %s', (text) => {
    expect(() => read(text)).toThrow('must be a list of IP addresses and networks');
  });
});

describe('loadConfig', () => {
  it('uses the defaults of unset settings', () => {
    expect(loadConfig(declaration, minimal)).toEqual({
      host: '127.0.0.1',
      port: 8090,
      redact: false,
      level: 'info',
      url: 'http://127.0.0.1:8123',
      brokers: ['a:1'],
      key: undefined,
    });
  });

  it.each(['https://app.example.com,http://localhost:5173', '*', 'https://*.example.com', 'http://[::1]:80'])(
    'takes the origins %s',
    (value) => {
      const declared = { pages: origins('PAGES', { default: [], description: 'pages' }) };
      expect(loadConfig(declared, { PAGES: value }).pages).toEqual(value.split(','));
      expect(loadConfig(declared, {}).pages).toEqual([]);
    },
  );

  it.each(['app.example.com', 'https://app.example.com/', 'https://a.example,https://b.example/path'])(
    'refuses %s as origins',
    (value) => {
      const declared = { pages: origins('PAGES', { default: [], description: 'pages' }) };
      expect(() => loadConfig(declared, { PAGES: value })).toThrow('PAGES must be a list of origins');
    },
  );

  it('reports all errors by name without the values', () => {
    const problems = problemsOf({
      ASSAY_PORT: '99999',
      REDACT_VALUES: 'yes',
      LOG_LEVEL: 'loud',
      ASSAY_API_KEY: 'short-secret',
      KAFKA_BROKERS: ' , ',
    });
    expect(problems).toHaveLength(6);
    for (const name of [
      'ASSAY_PORT',
      'REDACT_VALUES',
      'LOG_LEVEL',
      'ASSAY_API_KEY',
      'KAFKA_BROKERS',
      'CLICKHOUSE_URL is required',
    ]) {
      expect(problems.join('\n')).toContain(name);
    }
    expect(problems.join('\n')).not.toMatch(/99999|yes|loud|short-secret/);
  });

  it('ignores the address that clients on the same machine read', () => {
    expect(loadConfig(declaration, { ...minimal, ASSAY_URL: 'http://127.0.0.1:8090' }).port).toBe(8090);
  });

  it('reports unknown ASSAY_ names and ignores other names', () => {
    expect(
      problemsOf({ ...minimal, ASSAY_PROT: '1', PATH: '/bin', ASSAY_INGESTION_SERVICE_HOST: '10.0.0.1' }),
    ).toEqual(['ASSAY_PROT is not a setting of this process; did you mean ASSAY_PORT?']);
    expect(problemsOf({ ...minimal, ASSAY_COLOUR: '1' })).toEqual([
      'ASSAY_COLOUR is not a setting of this process',
    ]);
  });

  it('reports an unknown port, and ignores one of a service link', () => {
    expect(problemsOf({ ...minimal, ASSAY_GRPC_PORT: '4317' })).toEqual([
      expect.stringMatching(/^ASSAY_GRPC_PORT is not a setting of this process/),
    ]);
    const links = { ASSAY_QUERY_PORT: 'tcp://10.0.0.1:8090', ASSAY_QUERY_PORT_8090_TCP_ADDR: '10.0.0.1' };
    expect(problemsOf({ ...minimal, ...links })).toEqual([]);
  });

  it('ignores the port that Kubernetes sets for a service named assay', () => {
    expect(loadConfig(declaration, { ...minimal, ASSAY_PORT: 'tcp://10.0.0.1:8090' }).port).toBe(8090);
  });

  it('reports names of other prefixes that are within two letters of a setting', () => {
    const environment = { ...minimal, REDACT_VALUE: 'true', CLICKHOUSE_UR1: 'x', LEVEL: '1', PATH: '/bin' };
    expect(misspeltNames(declaration, environment)).toEqual([
      'REDACT_VALUE is not a setting; did you mean REDACT_VALUES?',
      'CLICKHOUSE_UR1 is not a setting; did you mean CLICKHOUSE_URL?',
    ]);
  });

  it('reads a secret from a file, trimmed', () => {
    const folder = mkdtempSync(join(tmpdir(), 'assay-config-'));
    const file = join(folder, 'key');
    writeFileSync(file, 'a-secret-of-20-characters\n');
    expect(loadConfig(declaration, { ...minimal, ASSAY_API_KEY_FILE: file }).key).toBe(
      'a-secret-of-20-characters',
    );
    rmSync(folder, { recursive: true });
  });

  it('rejects a secret that is set twice or whose file is missing', () => {
    expect(
      problemsOf({ ...minimal, ASSAY_API_KEY: 'x'.repeat(20), ASSAY_API_KEY_FILE: '/dev/null' }),
    ).toEqual(['ASSAY_API_KEY and ASSAY_API_KEY_FILE are both set']);
    expect(problemsOf({ ...minimal, ASSAY_API_KEY_FILE: '/does/not/exist' })).toHaveLength(1);
  });

  it.each(['1.5', '0x10', ' 7', '1e3', '-1'])('rejects %j as a port', (port) => {
    expect(problemsOf({ ...minimal, ASSAY_PORT: port })).toEqual([
      'ASSAY_PORT must be an integer from 0 to 65535',
    ]);
  });
});

describe('configLists', () => {
  const other = {
    host: text('ASSAY_HOST', { default: '0.0.0.0', description: 'address to listen on' }),
    port: integer('ASSAY_PORT', { default: 8090, min: 0, max: 65535, description: 'port' }),
    key: secret('ASSAY_API_KEY', { minLength: 20, description: 'another key' }),
  };
  const processes = [
    { letter: 'A', settings: declaration },
    { letter: 'B', settings: other },
  ];
  const sections = [
    { title: 'Ports', names: /^ASSAY_(HOST|PORT)$/ },
    { title: 'Others', names: /^(?!ASSAY_(HOST|PORT)$)/ },
  ];

  it('lists a setting once, with the processes that read it and their defaults', () => {
    const [, ports = '', others = ''] = configLists(processes, sections).split('## ');
    expect(ports).toContain('- `ASSAY_PORT` (0 to 65535; `8090`; AB): port');
    expect(ports).toContain('- `ASSAY_HOST` (text; A: `127.0.0.1`, B: `0.0.0.0`; AB): address to listen on');
    expect(others).not.toContain('ASSAY_PORT');
  });

  it('lists the file variant of a secret, and another item for another meaning', () => {
    const lists = configLists(processes, sections);
    expect(lists).toContain('- `ASSAY_API_KEY`, `ASSAY_API_KEY_FILE` (secret; A): first key');
    expect(lists).toContain('- `ASSAY_API_KEY`, `ASSAY_API_KEY_FILE` (secret; B): another key');
  });

  it('refuses a setting that no section takes', () => {
    expect(() => configLists(processes, sections.slice(0, 1))).toThrow(/belongs to 0 sections/);
  });
});
