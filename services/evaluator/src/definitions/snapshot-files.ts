import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DeployedMetric } from '@assay/domain';

/** Files beyond this number are removed, the oldest first. */
const MAX_FILES = 1_000;
const FORMAT = 1;

interface Snapshot {
  readonly format: number;
  readonly projectId: string;
  readonly metrics: readonly DeployedMetric[];
}

/** Keeps the metrics of each project in a file, for the time when the control plane is unavailable. */
export class SnapshotFiles {
  readonly #hashes = new Map<string, string>();

  constructor(private readonly dir: string) {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
  }

  /** Returns the metrics of a project; undefined without a file that can be read. */
  async read(projectId: string): Promise<readonly DeployedMetric[] | undefined> {
    try {
      const snapshot = JSON.parse(await readFile(this.#path(projectId), 'utf8')) as Snapshot;
      const isValid = snapshot.format === FORMAT && snapshot.projectId === projectId;
      return isValid && Array.isArray(snapshot.metrics) ? snapshot.metrics : undefined;
    } catch {
      return undefined;
    }
  }

  /** Replaces the file of a project atomically, unless it has this content. */
  async write(projectId: string, metrics: readonly DeployedMetric[]): Promise<void> {
    const text = JSON.stringify({ format: FORMAT, projectId, metrics } satisfies Snapshot);
    const hash = createHash('sha256').update(text).digest('hex');
    if (this.#hashes.get(projectId) === hash) return;
    const unfinished = join(this.dir, `${randomUUID()}.new`);
    await writeFile(unfinished, text, { mode: 0o600, flush: true });
    await rename(unfinished, this.#path(projectId));
    if (this.#hashes.size >= MAX_FILES) this.#hashes.clear();
    this.#hashes.set(projectId, hash);
    await this.#removeOldest();
  }

  async #removeOldest(): Promise<void> {
    const names = await readdir(this.dir);
    if (names.length <= MAX_FILES) return;
    const files = await Promise.all(
      names.map(async (name) => ({ name, at: (await stat(join(this.dir, name))).mtimeMs })),
    );
    const oldest = files.sort((one, other) => one.at - other.at).slice(0, names.length - MAX_FILES);
    for (const { name } of oldest) await rm(join(this.dir, name), { force: true });
  }

  #path(projectId: string): string {
    return join(this.dir, `${createHash('sha256').update(projectId).digest('hex')}.json`);
  }
}
