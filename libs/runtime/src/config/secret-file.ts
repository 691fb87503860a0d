import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

const MIN_LENGTH = 32;

/**
 * Returns the secret in this file. Creates the file when it does not exist (32 random bytes, base64url, readable by this user
 * only). The file is created atomically: two processes that create it concurrently get the same secret.
 * @throws Error when the file cannot be read or created, or has fewer than 32 characters
 */
export function readOrCreateSecret(path: string): string {
  const secret = (read(path) ?? create(path)).trim();
  if (secret.length < MIN_LENGTH) throw new Error(`a secret must have at least ${MIN_LENGTH} characters`);
  return secret;
}

function create(path: string): string {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = `${path}.${process.pid}.new`;
  writeFileSync(temporary, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flush: true });
  try {
    linkSync(temporary, path);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  } finally {
    rmSync(temporary);
  }
  return readFileSync(path, 'utf8');
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}
