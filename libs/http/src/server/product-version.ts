import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Version of the product. */
export const VERSION = '0.1.0';

/** What `GET /version` responds with. */
export interface ProductVersion {
  readonly version: string;
  /** Commit that was compiled; null when the build did not know it, as in an archive of the sources. */
  readonly commit: string | null;
}

/** Written beside the compiled code by libs/tooling/run/build.mjs. */
const FILE = join(__dirname, '../commit.json');

/** Reads the version of the compiled code. */
export function productVersion(): ProductVersion {
  return { version: VERSION, commit: readCommit() };
}

function readCommit(): string | null {
  try {
    const { commit } = JSON.parse(readFileSync(FILE, 'utf8')) as { commit?: unknown };
    return typeof commit === 'string' ? commit : null;
  } catch {
    return null;
  }
}
