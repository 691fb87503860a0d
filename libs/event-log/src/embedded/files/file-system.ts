/** `update` opens an existing file for reading and writing; `create` fails when the file exists. */
export type OpenMode = 'read' | 'update' | 'create';

/** A file opened by a {@link FileSystem}. Positions and lengths are bytes. */
export interface OpenFile {
  /**
   * Fills `target` from `position` on.
   * @returns the bytes read: fewer than asked only at the end of the file
   */
  read(target: Buffer, position: number): Promise<number>;
  /**
   * Writes the buffers one after the other.
   * @returns the bytes written, which may be fewer: a full disk is reported late
   */
  write(sources: Buffer[], position: number): Promise<number>;
  truncate(length: number): Promise<void>;
  /** Makes the content and the length of the file durable (`fdatasync`). */
  sync(): Promise<void>;
  size(): Promise<number>;
  close(): Promise<void>;
}

/** File-system calls of the embedded log; tests replace them to inject failures. */
export interface FileSystem {
  /** Creates the directory and its parents, unless it exists. */
  createDirectory(path: string): Promise<void>;
  /** Names of the entries of the directory. */
  list(path: string): Promise<readonly string[]>;
  /** Rejects with `ENOENT` for a missing file, unless it is to be created. */
  open(path: string, mode: OpenMode): Promise<OpenFile>;
  rename(from: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
  /** Makes created, renamed and removed entries of the directory durable. */
  syncDirectory(path: string): Promise<void>;
}

/** The code of a failed system call, such as `ENOSPC`; undefined for other errors. */
export function systemCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
