import { statSync, readFileSync, type Stats } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { validationError } from '@assay/errors';
import { ConfigError, type Logger, type Metrics, type ShutdownStack } from '@assay/runtime';
import { DEFAULT_PRICES } from './default-prices.js';
import { loadPrices } from './load-prices.js';
import type { PriceTable } from './price-table.js';

/** Returns the prices that hold now. */
export type Prices = () => PriceTable;

interface OpenOptions {
  readonly logger: Pick<Logger, 'warn' | 'info'>;
  readonly metrics: Pick<Metrics, 'gauge'>;
  /** Ends looking at the file. */
  readonly shutdown: Pick<ShutdownStack, 'add'>;
  /** Milliseconds between two looks at the file; for tests. */
  readonly everyMs?: number;
}

const CHECK_EVERY_MS = 30_000;
/** A table of all models of all vendors takes less than 1 MB. */
const MAX_FILE_BYTES = 10 * 1024 * 1024;

/**
 * Returns the prices of a process: those of the file, or the built-in ones when no file is named. A change of the file holds within 30 seconds. While
 * the file cannot be used, the last usable prices stay, which is logged once and shown by `assay_price_table_refused`.
 * @throws ConfigError when the file cannot be used at the start
 */
export function openPrices(file: string | undefined, options: OpenOptions): Prices {
  const refused = options.metrics.gauge(
    'assay_price_table_refused',
    '1 while PRICE_TABLE_FILE cannot be used, so that the last usable prices are',
  );
  refused.set(0);
  if (file === undefined) return () => DEFAULT_PRICES;
  const watched = new PriceFile(file, options, (isRefused) => refused.set(Number(isRefused)));
  const timer = setInterval(() => void watched.check(), options.everyMs ?? CHECK_EVERY_MS).unref();
  options.shutdown.add('price table', timer, (running) => Promise.resolve(clearInterval(running)));
  return () => watched.prices;
}

class PriceFile {
  prices: PriceTable;
  private version: string;
  private isChecking = false;

  constructor(
    private readonly file: string,
    private readonly options: OpenOptions,
    private readonly onChecked: (isRefused: boolean) => void,
  ) {
    try {
      const stats = statSync(file);
      assertReadable(stats);
      this.version = versionOf(stats);
      this.prices = loadPrices(readFileSync(file, 'utf8'));
    } catch (error) {
      throw new ConfigError([`PRICE_TABLE_FILE is not a usable price table: ${reasonOf(error)}`]);
    }
  }

  /** Reads the file again when it has changed. A version that was refused is not read twice. */
  async check(): Promise<void> {
    if (this.isChecking) return;
    this.isChecking = true;
    let version = 'absent';
    try {
      const stats = await stat(this.file);
      version = versionOf(stats);
      if (version === this.version) return;
      assertReadable(stats);
      this.prices = loadPrices(await readFile(this.file, 'utf8'));
      this.options.logger.info('price table replaced', { asOf: this.prices.asOf });
      this.onChecked(false);
    } catch (error) {
      if (version === this.version) return;
      this.options.logger.warn('price table refused, the last usable prices stay', {
        reason: reasonOf(error),
      });
      this.onChecked(true);
    } finally {
      this.version = version;
      this.isChecking = false;
    }
  }
}

/** A replaced file has another inode, one that is written in place another time. */
function versionOf({ ino, mtimeMs, size }: Stats): string {
  return [ino, mtimeMs, size].join('/');
}

function assertReadable({ size }: Stats): void {
  if (size > MAX_FILE_BYTES) throw validationError('the price table must have at most 10 MB');
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
