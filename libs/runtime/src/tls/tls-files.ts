import { readFileSync } from 'node:fs';
import { certificatesOf, isKeyOf, type PemFile } from '../config/pem-file.js';
import type { Logger } from '../log/logger.js';

/** Files of one end of TLS connections. */
export interface TlsFilePaths {
  /** Authorities that sign the certificates of the other end. */
  readonly ca?: PemFile | undefined;
  /** Certificate of this end, with its chain. */
  readonly cert?: PemFile | undefined;
  readonly key?: PemFile | undefined;
}

/** The content of the files, in PEM form. `cert` and `key` are both present or both absent. */
export interface TlsCredentials {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
}

const CHECK_EVERY_MS = 10_000;
const REFUSED = 'certificate files have changed but do not fit together, using the former ones';

/**
 * Certificates and keys that may be replaced on disk while the process runs. Files that cannot be read or that do not fit
 * together, as in the middle of a replacement, are ignored until they do.
 */
export class TlsFiles {
  #latest: TlsCredentials;
  #isRefused = false;

  /** @throws Error when a file cannot be read, which `loadConfig` has reported before */
  constructor(
    private readonly paths: TlsFilePaths,
    private readonly warn: (phrase: string) => void,
  ) {
    this.#latest = readAll(paths);
  }

  /** Reads the files. Returns the same object while nothing has changed. */
  latest(): TlsCredentials {
    const read = this.#read();
    if (read !== undefined && isSame(read, this.#latest)) this.#isRefused = false;
    else if (read !== undefined && isUsable(read)) {
      this.#isRefused = false;
      this.#latest = read;
    } else {
      if (!this.#isRefused) this.warn(REFUSED);
      this.#isRefused = true;
    }
    return this.#latest;
  }

  /**
   * Calls back with the new content after a change, at most `everyMs` later. @returns a function that ends it
   */
  watch(onChange: (credentials: TlsCredentials) => void, everyMs = CHECK_EVERY_MS): () => void {
    let known = this.#latest;
    const timer = setInterval(() => {
      const latest = this.latest();
      if (latest === known) return;
      known = latest;
      onChange(latest);
    }, everyMs).unref();
    return () => clearInterval(timer);
  }

  #read(): TlsCredentials | undefined {
    try {
      return readAll(this.paths);
    } catch {
      return undefined;
    }
  }
}

/** Returns the files of a port; undefined for one without TLS. */
export function listenerTls(paths: TlsFilePaths, logger: Pick<Logger, 'warn'>): TlsFiles | undefined {
  return paths.cert && paths.key ? new TlsFiles(paths, (phrase) => logger.warn(phrase)) : undefined;
}

/** Returns the files of connections to another system; undefined when none is set. */
export function connectionTls(paths: TlsFilePaths, logger: Pick<Logger, 'warn'>): TlsFiles | undefined {
  const isSet = paths.ca ?? paths.cert ?? paths.key;
  return isSet ? new TlsFiles(paths, (phrase) => logger.warn(phrase)) : undefined;
}

function readAll({ ca, cert, key }: TlsFilePaths): TlsCredentials {
  return {
    ...(ca && { ca: readFileSync(ca.path, 'utf8') }),
    ...(cert && { cert: readFileSync(cert.path, 'utf8') }),
    ...(key && { key: readFileSync(key.path, 'utf8') }),
  };
}

function isSame(one: TlsCredentials, other: TlsCredentials): boolean {
  return one.ca === other.ca && one.cert === other.cert && one.key === other.key;
}

function isUsable({ ca, cert, key }: TlsCredentials): boolean {
  if (ca !== undefined && certificatesOf(ca).length === 0) return false;
  return cert === undefined || key === undefined || isKeyOf(cert, key);
}
