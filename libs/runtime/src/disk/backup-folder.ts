import { constants } from 'node:fs';
import { link, mkdir, open, readdir, readlink, symlink, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { systemErrorCode } from '../lifecycle/start-error.js';

const FOLDER_MODE = 0o700;
const CHUNK_BYTES = 1024 * 1024;

/** Size of what a backup has, in bytes. */
export interface BackupSize {
  readonly files: number;
  readonly bytes: number;
}

/**
 * A new folder that stores write their files into. Paths are relative to it, folders are made as they are needed, and files keep the mode of
 * their source. Every file is on disk when its call resolves, except for entries of folders: see {@link sync}. All calls throw the error of
 * the file system, and what `assertGoing` throws.
 */
export class BackupFolder {
  #files = 0;
  #bytes = 0;
  readonly #folders = new Set<string>();

  /** @param assertGoing called before each mebibyte; throws when the backup is to end */
  constructor(
    readonly path: string,
    private readonly assertGoing: () => void,
  ) {}

  get size(): BackupSize {
    return { files: this.#files, bytes: this.#bytes };
  }

  async addFolder(name: string): Promise<void> {
    if (this.#folders.has(name)) return;
    await mkdir(join(this.path, name), { recursive: true, mode: FOLDER_MODE });
    for (let folder = name; !this.#folders.has(folder); folder = parentOf(folder)) {
      this.#folders.add(folder);
      if (folder === '.') return;
    }
  }

  /** Adds a file whose bytes never change: a link where the file system is the same. */
  async addUnchanging(source: string, name: string): Promise<void> {
    this.assertGoing();
    await this.addFolder(parentOf(name));
    try {
      await link(source, join(this.path, name));
    } catch (error) {
      if (!['EXDEV', 'EPERM', 'EMLINK', 'ENOTSUP'].includes(systemErrorCode(error) ?? '')) throw error;
      return this.addStart(source, name);
    }
    await this.added(name);
  }

  /** Adds the first `length` bytes of a file, all when absent. */
  async addStart(source: string, name: string, length = Infinity): Promise<void> {
    const from = await open(source, 'r');
    try {
      await this.addOpened(from, name, length);
    } finally {
      await from.close();
    }
  }

  /** As {@link addStart}, of an open file. */
  async addOpened(from: FileHandle, name: string, length = Infinity): Promise<void> {
    await this.addFolder(parentOf(name));
    const { mode } = await from.stat();
    const to = await open(join(this.path, name), 'wx', mode & 0o777);
    try {
      await this.copy(from, to, length);
      await to.sync();
    } finally {
      await to.close();
    }
    await this.added(name, false);
  }

  async addContent(content: Uint8Array, name: string): Promise<void> {
    this.assertGoing();
    await this.addFolder(parentOf(name));
    const file = await open(join(this.path, name), 'wx', 0o600);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await this.added(name, false);
  }

  /** Adds a file, a symbolic link as it is, or a folder with all that it has; what is removed meanwhile is left out. */
  async addAll(
    source: string,
    name: string,
    without: (name: string) => boolean = () => false,
  ): Promise<void> {
    await this.addFolder(name);
    const entries = await readdir(source, { withFileTypes: true }).catch(unlessGone([]));
    for (const entry of entries) {
      if (without(join(name, entry.name))) continue;
      const [from, to] = [join(source, entry.name), join(name, entry.name)];
      if (entry.isDirectory()) await this.addAll(from, to, without);
      else if (entry.isSymbolicLink()) await symlink(await readlink(from), join(this.path, to));
      else if (entry.isFile()) await this.addStart(from, to).catch(unlessGone(undefined));
    }
  }

  /** Counts a file that another program has written here, which has to be synced. */
  async added(name: string, isToSync = true): Promise<void> {
    const file = await open(join(this.path, name), constants.O_RDONLY);
    try {
      if (isToSync) await file.sync();
      this.#bytes += (await file.stat()).size;
      this.#files += 1;
    } finally {
      await file.close();
    }
  }

  /** Makes the entries of all folders durable. */
  async sync(): Promise<void> {
    for (const name of this.#folders) await syncFolder(join(this.path, name));
  }

  private async copy(from: FileHandle, to: FileHandle, length: number): Promise<void> {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    for (let at = 0; at < length;) {
      this.assertGoing();
      const { bytesRead } = await from.read(chunk, 0, Math.min(CHUNK_BYTES, length - at), at);
      if (bytesRead === 0) return;
      for (let done = 0; done < bytesRead;)
        done += (await to.write(chunk, done, bytesRead - done, at + done)).bytesWritten;
      at += bytesRead;
    }
  }
}

export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

function parentOf(name: string): string {
  return join(name, '..');
}

function unlessGone<T>(instead: T): (error: unknown) => T {
  return (error) => {
    if (systemErrorCode(error) === 'ENOENT') return instead;
    throw error;
  };
}
