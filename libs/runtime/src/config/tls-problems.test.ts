import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestAuthority } from '../../test/test-certificates.js';
import { processSettings } from './common-settings.js';
import { clickhouseSettings, kafkaSettings } from './engine-settings.js';
import { ConfigError, loadConfig } from './load-config.js';
import { PemFile } from './pem-file.js';

const dir = mkdtempSync(join(tmpdir(), 'assay-pem-'));
const authority = createTestAuthority(dir, 'authority');
const ours = authority.issue('ours');
const other = authority.issue('other');
const files = {
  cert: ours.certFile,
  key: ours.keyFile,
  otherKey: other.keyFile,
  ca: authority.caFile,
  missing: join(dir, 'missing.pem'),
  folder: dir,
  damaged: join(dir, 'damaged.pem'),
};
writeFileSync(files.damaged, '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n');
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const declaration = { ...processSettings, ...kafkaSettings, ...clickhouseSettings };
const HTTPS = 'https://127.0.0.1:8443';

function problemsOf(environment: Record<string, string>): readonly string[] {
  try {
    loadConfig(declaration, environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

describe('settings of certificate files', () => {
  it.each<[string, Record<string, string>, string[]]>([
    [
      'a file that does not exist, once',
      { ASSAY_TLS_CERT_FILE: files.missing, ASSAY_TLS_KEY_FILE: files.key },
      ['ASSAY_TLS_CERT_FILE names a file that does not exist'],
    ],
    [
      'a folder',
      { KAFKA_TLS: 'true', KAFKA_CA_FILE: files.folder },
      ['KAFKA_CA_FILE names a file that cannot be read'],
    ],
    [
      'a file without a certificate',
      { KAFKA_TLS: 'true', KAFKA_CA_FILE: files.key },
      ['KAFKA_CA_FILE must name a PEM file with a certificate'],
    ],
    [
      'a damaged certificate',
      { CLICKHOUSE_URL: HTTPS, CLICKHOUSE_CA_FILE: files.damaged },
      ['CLICKHOUSE_CA_FILE must name a PEM file with a certificate'],
    ],
    [
      'a certificate in place of a key',
      { ASSAY_TLS_CERT_FILE: files.cert, ASSAY_TLS_KEY_FILE: files.cert },
      ['ASSAY_TLS_KEY_FILE must name a PEM file with a private key that has no passphrase'],
    ],
    [
      'a key of another certificate',
      { ASSAY_ADMIN_TLS_CERT_FILE: files.cert, ASSAY_ADMIN_TLS_KEY_FILE: files.otherKey },
      ['ASSAY_ADMIN_TLS_KEY_FILE is not the key of the first certificate in ASSAY_ADMIN_TLS_CERT_FILE'],
    ],
    [
      'a certificate without a key',
      { ASSAY_TLS_CERT_FILE: files.cert },
      ['ASSAY_TLS_CERT_FILE and ASSAY_TLS_KEY_FILE must be set together'],
    ],
    [
      'a key without a certificate',
      { CLICKHOUSE_URL: HTTPS, CLICKHOUSE_KEY_FILE: files.key },
      ['CLICKHOUSE_CERT_FILE and CLICKHOUSE_KEY_FILE must be set together'],
    ],
    [
      'authorities of clients on a port without TLS',
      { ASSAY_TLS_CLIENT_CA_FILE: files.ca },
      ['ASSAY_TLS_CLIENT_CA_FILE needs ASSAY_TLS_CERT_FILE and ASSAY_TLS_KEY_FILE'],
    ],
    [
      'files of a connection that does not use TLS, with other mistakes',
      { KAFKA_CA_FILE: files.ca, CLICKHOUSE_CA_FILE: files.ca, LOG_LEVEL: 'loud' },
      [
        'LOG_LEVEL must be one of error, warn, info, debug',
        'KAFKA_CA_FILE needs KAFKA_TLS=true',
        'CLICKHOUSE_CA_FILE needs an https address in CLICKHOUSE_URL',
      ],
    ],
  ])('report %s', (_name, environment, expected) => {
    expect(problemsOf(environment)).toEqual(expected);
  });

  it('accept a chain, its key and authorities, and remember the paths only', () => {
    const config = loadConfig(declaration, {
      ASSAY_TLS_CERT_FILE: files.cert,
      ASSAY_TLS_KEY_FILE: files.key,
      ASSAY_TLS_CLIENT_CA_FILE: files.ca,
      KAFKA_TLS: 'true',
      KAFKA_CA_FILE: files.ca,
    });
    expect(config.tlsCertFile).toEqual(new PemFile('ASSAY_TLS_CERT_FILE', files.cert));
    expect(config.kafkaCaFile).toEqual(new PemFile('KAFKA_CA_FILE', files.ca));
    expect(config.adminTlsCertFile).toBeUndefined();
  });
});
