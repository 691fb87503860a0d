import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readOrCreateSecret } from './secret-file.js';

describe('readOrCreateSecret', () => {
  const dir = mkdtempSync(join(tmpdir(), 'assay-pepper-'));
  afterAll(() => rmSync(dir, { recursive: true }));

  it('creates the secret once, readable by this user only', () => {
    const path = join(dir, 'secrets', 'pepper');
    const pepper = readOrCreateSecret(path);
    expect(pepper).toMatch(/^[\w-]{43}$/);
    expect(readOrCreateSecret(path)).toBe(pepper);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(dir, 'secrets'))).toEqual(['pepper']);
  });

  it('rejects a file without a secret instead of replacing it', () => {
    const path = join(dir, 'short');
    writeFileSync(path, 'short\n');
    expect(() => readOrCreateSecret(path)).toThrow('a secret must have at least 32 characters');
    expect(() => readOrCreateSecret(dir)).toThrow();
  });
});
