import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folders: string[] = [];
afterAll(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true, force: true })));

/** Writes the smallest console to a new folder, and returns its path. The folder is removed after the tests of the file. */
export function consoleFolder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'assay-console-'));
  folders.push(dir);
  writeFileSync(join(dir, 'index.html'), '<!doctype html><title>console</title>');
  return dir;
}
