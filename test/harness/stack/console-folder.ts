import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Writes the smallest console to a new folder, and returns its path. */
export function consoleFolder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'assay-console-'));
  writeFileSync(join(dir, 'index.html'), '<!doctype html><title>console</title>');
  return dir;
}
