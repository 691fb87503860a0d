import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { CliError } from '../cli-error.js';
import type { ExportedFile, FileKind } from './manifest.js';
import { numberedLine } from './numbered-line.js';

/** Writes one file of an export. It has its name only when it is complete and synced to disk. */
export class FileWriter {
  #lines = 0;
  #bytes = 0;
  readonly #hash = createHash('sha256');
  readonly #file: number;
  readonly #path: string;

  /** @param number of the file among those of its kind, from 1 */
  constructor(
    dir: string,
    private readonly kind: FileKind,
    number: number,
  ) {
    this.#path = join(dir, `${kind}-${String(number).padStart(6, '0')}.ndjson`);
    this.#file = onDisk(() => openSync(`${this.#path}.part`, 'w', 0o600));
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Appends values, which are JSON texts. */
  write(values: readonly string[]): void {
    const text = values.map((value) => numberedLine((this.#lines += 1), value)).join('');
    const data = Buffer.from(text);
    this.#hash.update(data);
    this.#bytes += data.length;
    onDisk(() => {
      for (let written = 0; written < data.length;) written += writeSync(this.#file, data, written);
    });
  }

  finish(): ExportedFile {
    onDisk(() => fsyncSync(this.#file));
    closeSync(this.#file);
    renameSync(`${this.#path}.part`, this.#path);
    return {
      name: this.#path.slice(this.#path.lastIndexOf('/') + 1),
      kind: this.kind,
      lines: this.#lines,
      bytes: this.#bytes,
      sha256: this.#hash.digest('hex'),
    };
  }

  /** Ends an incomplete file, which the next attempt overwrites. */
  abandon(): void {
    closeSync(this.#file);
  }
}

function onDisk<T>(write: () => T): T {
  try {
    return write();
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    const hint = code === 'ENOSPC' ? 'the disk is full, free space' : 'the disk refuses it';
    throw new CliError(`DIR cannot be written (${code}): ${hint} and run the command again, it continues`);
  }
}
