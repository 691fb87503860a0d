import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

const MIN_LENGTH = 32;

/**
 * The secret in this file, which is made (32 random bytes, base64url, readable by this user only) when it is not there. The file
 * appears whole or not at all, and of two processes that make it at once both get the same one.
 * @throws Error when the file cannot be read or made, or holds fewer than 32 characters
 */
export function readOrMakeSecret(path: string): string {
  const secret = (read(path) ?? make(path)).trim();
  if (secret.length < MIN_LENGTH) throw new Error(`a secret must have at least ${MIN_LENGTH} characters`);
  return secret;
}

function make(path: string): string {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const unfinished = `${path}.${process.pid}.new`;
  writeFileSync(unfinished, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flush: true });
  try {
    linkSync(unfinished, path);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  } finally {
    rmSync(unfinished);
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
