import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestAuthority } from '../../test/test-certificates.js';
import { PemFile } from '../config/pem-file.js';
import { TlsFiles } from './tls-files.js';

const dir = mkdtempSync(join(tmpdir(), 'assay-tls-files-'));
const authority = createTestAuthority(dir, 'authority');
const [first, second] = [authority.issue('first'), authority.issue('second')];
const used = { certFile: join(dir, 'used.pem'), keyFile: join(dir, 'used.key') };
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const paths = { cert: new PemFile('CERT', used.certFile), key: new PemFile('KEY', used.keyFile) };
const contentOf = ({ certFile, keyFile }: typeof used) => ({
  cert: readFileSync(certFile, 'utf8'),
  key: readFileSync(keyFile, 'utf8'),
});

beforeEach(() => {
  copyFileSync(first.certFile, used.certFile);
  copyFileSync(first.keyFile, used.keyFile);
});

describe('TlsFiles', () => {
  it('returns the same object until the files change', () => {
    const files = new TlsFiles(paths, fail);
    const before = files.latest();
    expect(before).toEqual(contentOf(first));
    expect(files.latest()).toBe(before);
    copyFileSync(second.keyFile, used.keyFile);
    copyFileSync(second.certFile, used.certFile);
    expect(files.latest()).toEqual(contentOf(second));
  });

  it('keeps the former files, and warns once, while one of them is missing or replaced alone', () => {
    const warnings: string[] = [];
    const files = new TlsFiles(paths, (phrase) => warnings.push(phrase));
    copyFileSync(second.certFile, used.certFile);
    expect(files.latest()).toEqual(contentOf(first));
    rmSync(used.keyFile);
    expect(files.latest()).toEqual(contentOf(first));
    expect(warnings).toEqual([
      'certificate files have changed but do not fit together, using the former ones',
    ]);
    copyFileSync(second.keyFile, used.keyFile);
    expect(files.latest()).toEqual(contentOf(second));
  });

  it('notifies of a change', async () => {
    const files = new TlsFiles(paths, () => undefined);
    const notified = new Promise((resolve) => {
      const stop = files.watch((content) => {
        stop();
        resolve(content);
      }, 5);
    });
    copyFileSync(second.certFile, used.certFile);
    copyFileSync(second.keyFile, used.keyFile);
    expect(await notified).toEqual(contentOf(second));
  });
});

function fail(phrase: string): never {
  throw new Error(phrase);
}
