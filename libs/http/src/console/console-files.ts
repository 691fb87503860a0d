import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { StartError } from '@assay/runtime';

/** A file of the console with its compressed forms. */
export interface ConsoleFile {
  readonly contentType: string;
  /** Entity tag of the content. */
  readonly tag: string;
  /** Whether the name changes with the content, so that caches may keep the file permanently. */
  readonly isHashed: boolean;
  readonly plain: Buffer;
  readonly br?: Buffer | undefined;
  readonly gzip?: Buffer | undefined;
}

/** The files by their path below the folder, with slashes. */
export type ConsoleFiles = ReadonlyMap<string, ConsoleFile>;

export const INDEX = 'index.html';

/** The files stay in memory. A folder beyond this is not that of a console. */
const MAX_BYTES = 32 * 1024 * 1024;
/** The build puts a part of the content's hash before the suffix of what is in this folder. */
const HASHED = /^assets\/(?:.*\/)?[^/]+-[\w-]{8,}\.\w+(?:\.map)?$/;
const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.mjs': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
};

/**
 * Reads the built console. Requests find a file by its exact path in the result and never reach the file system. Links are not followed.
 * @throws StartError when the folder cannot be read, has no `index.html`, or is too large
 */
export function readConsoleFiles(dir: string): ConsoleFiles {
  const contents = readContents(dir);
  const files = new Map<string, ConsoleFile>();
  for (const [path, plain] of contents) {
    if (/\.(?:br|gz)$/.test(path)) continue;
    files.set(path, {
      contentType: TYPES[extname(path)] ?? 'application/octet-stream',
      tag: `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`,
      isHashed: HASHED.test(path),
      plain,
      br: contents.get(`${path}.br`),
      gzip: contents.get(`${path}.gz`),
    });
  }
  if (!files.has(INDEX)) throw new StartError(`CONSOLE_DIR has no ${INDEX}, build the console first`);
  return files;
}

function readContents(dir: string): Map<string, Buffer> {
  const contents = new Map<string, Buffer>();
  let bytes = 0;
  for (const path of listFiles(dir)) {
    const content = readFileSync(path);
    bytes += content.length;
    if (bytes > MAX_BYTES) throw new StartError(`CONSOLE_DIR has more than ${MAX_BYTES} bytes`);
    contents.set(relative(dir, path).split(sep).join('/'), content);
  }
  return contents;
}

function listFiles(dir: string): string[] {
  try {
    return readdirSync(dir, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
  } catch (cause) {
    throw new StartError('CONSOLE_DIR cannot be read', { cause });
  }
}
