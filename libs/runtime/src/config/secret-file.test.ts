import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readOrMakeSecret } from './secret-file.js';

describe('readOrMakeSecret', () => {
  const dir = mkdtempSync(join(tmpdir(), 'assay-pepper-'));
  afterAll(() => rmSync(dir, { recursive: true }));

  it('makes the pepper once, for this user only', () => {
    const path = join(dir, 'secrets', 'pepper');
    const pepper = readOrMakeSecret(path);
    expect(pepper).toMatch(/^[\w-]{43}$/);
    expect(readOrMakeSecret(path)).toBe(pepper);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(dir, 'secrets'))).toEqual(['pepper']);
  });

  it('refuses a file that holds no secret instead of making another', () => {
    const path = join(dir, 'short');
    writeFileSync(path, 'short\n');
    expect(() => readOrMakeSecret(path)).toThrow('a secret must have at least 32 characters');
    expect(() => readOrMakeSecret(dir)).toThrow();
  });
});
