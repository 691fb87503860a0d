import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unavailable } from '@assay/errors';
import type { Caller } from '@assay/domain';
import type { ControlPlane } from '../control-plane.js';
import { issuedKey } from '../../test/issued-key.js';
import { createAuthenticator } from './create-authenticator.js';

const callerOf = (keyId: string): Caller => ({
  projectId: 'p1',
  projectName: 'bot',
  keyId,
  scope: 'project',
});

/** A control plane in this process. The test sets its keys, its availability and its clock. */
class Deployment implements Pick<
  ControlPlane,
  'authenticate' | 'authenticateAdministrator' | 'authenticatePerson'
> {
  readonly dir = mkdtempSync(join(tmpdir(), 'assay-keys-'));
  readonly keys = new Map<string, Caller>();
  readonly warnings: string[] = [];
  lookups = 0;
  unreachable = false;
  time = Date.parse('2026-11-01T00:00:00Z');
  response: Promise<void> = Promise.resolve();

  async authenticate(key: string): Promise<Caller | undefined> {
    this.lookups++;
    await this.response;
    if (this.unreachable) throw unavailable('unreachable');
    return this.keys.get(key);
  }

  authenticateAdministrator(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  authenticatePerson() {
    return Promise.resolve({ caller: null, refusal: null });
  }

  issueKey(): string {
    const { text, keyId } = issuedKey('project');
    this.keys.set(text, callerOf(keyId));
    return text;
  }

  newAuthenticator(cacheMs?: number) {
    const warn = (message: string) => this.warnings.push(message);
    return createAuthenticator({
      controlPlane: this,
      snapshotDir: join(this.dir, 'keys'),
      cacheMs,
      now: () => new Date(this.time),
      warn,
    });
  }

  file(): string {
    return join(this.dir, 'keys', 'known-keys.json');
  }
}

describe('createAuthenticator', () => {
  let deployment: Deployment;
  beforeEach(() => {
    deployment = new Deployment();
  });
  afterEach(() => rmSync(deployment.dir, { recursive: true, force: true }));

  it('looks a known key up once in 30 seconds', async () => {
    const [key, keys] = [deployment.issueKey(), deployment.newAuthenticator()];
    for (let n = 0; n < 3; n++) expect(await keys.authenticate(key)).toEqual(deployment.keys.get(key));
    deployment.time += 29_999;
    await keys.authenticate(key);
    expect(deployment.lookups).toBe(1);
    deployment.time += 1;
    await keys.authenticate(key);
    expect(deployment.lookups).toBe(2);
  });

  it('looks an unknown key up once in 5 seconds, and finds it once it is issued', async () => {
    const [{ text }, keys] = [issuedKey('project'), deployment.newAuthenticator()];
    expect(await keys.authenticate(text)).toBeUndefined();
    deployment.keys.set(text, callerOf('k'));
    deployment.time += 4_999;
    expect(await keys.authenticate(text)).toBeUndefined();
    expect(deployment.lookups).toBe(1);
    deployment.time += 1;
    expect(await keys.authenticate(text)).toEqual(callerOf('k'));
  });

  it('refuses a revoked key 30 seconds after the last look-up, also while the control plane is unreachable', async () => {
    const [key, keys] = [deployment.issueKey(), deployment.newAuthenticator()];
    await keys.authenticate(key);
    deployment.keys.delete(key);
    deployment.time += 30_000;
    expect(await keys.authenticate(key)).toBeUndefined();
    await keys.close();
    deployment.unreachable = true;
    deployment.time += 10_000;
    await expect(keys.authenticate(key)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await expect(deployment.newAuthenticator().authenticate(key)).rejects.toMatchObject({
      code: 'UNAVAILABLE',
    });
  });

  it('refuses a revoked key after a second when it caches keys for a second', async () => {
    const [key, keys] = [deployment.issueKey(), deployment.newAuthenticator(1_000)];
    await keys.authenticate(key);
    deployment.keys.delete(key);
    deployment.time += 999;
    expect(await keys.authenticate(key)).toBeDefined();
    deployment.time += 1;
    expect(await keys.authenticate(key)).toBeUndefined();
    expect(deployment.lookups).toBe(2);
  });

  it('counts the 30 seconds from the start of the look-up, however long the response takes', async () => {
    const [key, keys] = [deployment.issueKey(), deployment.newAuthenticator()];
    let release = (): void => undefined;
    deployment.response = new Promise((resolve) => (release = resolve));
    const lookup = keys.authenticate(key);
    deployment.time += 30_000;
    release();
    await lookup;
    await keys.authenticate(key);
    expect(deployment.lookups).toBe(2);
  });

  it('shares one look-up between concurrent requests with the same key', async () => {
    const [key, keys] = [deployment.issueKey(), deployment.newAuthenticator()];
    await Promise.all(Array.from({ length: 500 }, () => keys.authenticate(key)));
    expect(deployment.lookups).toBe(1);
  });

  it('never looks up text that cannot be a key', async () => {
    const [key, keys] = [deployment.issueKey(), deployment.newAuthenticator()];
    for (const text of [
      '',
      'short',
      'x'.repeat(1_000_000),
      key.slice(0, -1) + (key.endsWith('0') ? '1' : '0'),
    ]) {
      expect(await keys.authenticate(text)).toBeUndefined();
    }
    expect(deployment.lookups).toBe(0);
  });

  it('authenticates from the snapshot for 24 hours while the control plane is unreachable', async () => {
    const [key, before] = [deployment.issueKey(), deployment.newAuthenticator()];
    await before.authenticate(key);
    await before.close();
    deployment.unreachable = true;
    deployment.time += 24 * 3_600_000 - 1;
    const after = deployment.newAuthenticator();
    expect(await after.authenticate(key)).toEqual(deployment.keys.get(key));
    await expect(after.authenticate(deployment.issueKey())).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    deployment.time += 1;
    await expect(after.authenticate(key)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(deployment.warnings).toEqual([]);
  });

  it('prefers the control plane to the snapshot as soon as it responds', async () => {
    const [key, before] = [deployment.issueKey(), deployment.newAuthenticator()];
    await before.authenticate(key);
    await before.close();
    deployment.keys.delete(key);
    deployment.time += 30_000;
    expect(await deployment.newAuthenticator().authenticate(key)).toBeUndefined();
  });

  it('retries an unreachable control plane once a second, and uses it again when it responds', async () => {
    const [key, keys] = [deployment.issueKey(), deployment.newAuthenticator()];
    await keys.authenticate(key);
    deployment.unreachable = true;
    deployment.time += 60_000;
    for (let n = 0; n < 100; n++) await keys.authenticate(key);
    expect(deployment.lookups).toBe(2);
    deployment.unreachable = false;
    deployment.time += 1_000;
    await keys.authenticate(key);
    expect(deployment.lookups).toBe(3);
  });

  it('writes HMACs of keys under its own salt, readable by this user only', async () => {
    const [issued, keys] = [
      Array.from({ length: 20 }, () => deployment.issueKey()),
      deployment.newAuthenticator(),
    ];
    for (const key of issued) await keys.authenticate(key);
    await keys.close();
    const text = readFileSync(deployment.file(), 'utf8');
    for (const key of issued) {
      const secret = key.slice(key.lastIndexOf('_', key.length - 60) + 1);
      for (let n = 0; n + 12 <= secret.length; n++) expect(text).not.toContain(secret.slice(n, n + 12));
    }
    expect(statSync(deployment.file()).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(deployment.dir, 'keys'))).toEqual(['known-keys.json']);
    const other = new Deployment();
    other.keys.set(issued[0] ?? '', callerOf('k'));
    const otherKeys = other.newAuthenticator();
    await otherKeys.authenticate(issued[0] ?? '');
    await otherKeys.close();
    const digestOf = (file: string) =>
      (JSON.parse(readFileSync(file, 'utf8')) as { known: { digest: string }[] }).known.map(
        ({ digest }) => digest,
      );
    expect(digestOf(deployment.file())).not.toEqual(expect.arrayContaining(digestOf(other.file())));
    rmSync(other.dir, { recursive: true });
  });

  it.each([
    ['truncated', '{"format":1,"salt":"'],
    ['empty', ''],
    ['in another format', '{"format":2,"salt":"","known":[]}'],
    [
      'with an invalid caller',
      JSON.stringify({
        format: 1,
        salt: Buffer.alloc(32).toString('base64'),
        known: [{ digest: 'a', caller: {}, confirmedAt: 1 }],
      }),
    ],
    ['with a short salt', '{"format":1,"salt":"AAAA","known":[]}'],
    ['that is not an object', 'null'],
  ])('ignores a snapshot %s with a warning, and replaces it', async (_name, content) => {
    const key = deployment.issueKey();
    await deployment.newAuthenticator().close();
    writeFileSync(deployment.file(), content);
    const keys = deployment.newAuthenticator();
    expect(deployment.warnings).toHaveLength(1);
    expect(await keys.authenticate(key)).toEqual(deployment.keys.get(key));
    await keys.close();
    deployment.unreachable = true;
    expect(await deployment.newAuthenticator().authenticate(key)).toEqual(deployment.keys.get(key));
    expect(deployment.warnings).toHaveLength(1);
  });

  it('continues with a warning when the snapshot cannot be written', async () => {
    const key = deployment.issueKey();
    const keys = deployment.newAuthenticator();
    rmSync(join(deployment.dir, 'keys'), { recursive: true });
    expect(await keys.authenticate(key)).toBeDefined();
    await keys.close();
    expect(deployment.warnings).toEqual(['cannot write the key snapshot']);
    expect(existsSync(deployment.file())).toBe(false);
  });

  it('keeps known keys cached, and bounds look-ups and memory, under a flood of invented keys', async () => {
    const [key, keys] = [deployment.issueKey(), deployment.newAuthenticator()];
    await keys.authenticate(key);
    const invented = Array.from({ length: 10_000 }, (_, n) => `invented key number ${n}`);
    for (const text of invented) expect(await keys.authenticate(text)).toBeUndefined();
    for (const text of invented) expect(await keys.authenticate(text)).toBeUndefined();
    await keys.authenticate(key);
    expect(deployment.lookups).toBe(10_001);
    await keys.close();
    expect(statSync(deployment.file()).size).toBeLessThan(1_000);
  });

  it('bounds concurrent look-ups, and refuses further ones with OVERLOADED', async () => {
    const [key, keys] = [deployment.issueKey(), deployment.newAuthenticator()];
    await keys.authenticate(key);
    let release = (): void => undefined;
    deployment.response = new Promise((resolve) => (release = resolve));
    const outcomes = Array.from({ length: 1_000 }, (_, n) =>
      keys.authenticate(`invented key number ${n}`).then(
        () => 'resolved',
        (error: { code: string }) => error.code,
      ),
    );
    expect(await keys.authenticate(key)).toBeDefined();
    release();
    const counted = (await Promise.all(outcomes)).filter((outcome) => outcome === 'OVERLOADED');
    expect(counted.length).toBe(1_000 - 256);
    expect(deployment.lookups).toBe(257);
  });
});
