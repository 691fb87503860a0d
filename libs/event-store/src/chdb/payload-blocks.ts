import type { QueryRunner } from '../sql/engine/engine.js';

/** Bytes of payloads that a scan reads in one step. */
const BLOCK_BYTES = 3 * 1024 ** 2;
/** Rows of a block at least, so that long rows of one project slow the scans of others down by little. */
const MIN_ROWS = 256;
/** Rows of a block that the engine reads without a setting, about. */
const DEFAULT_ROWS = 65_000;
/** How long the size of the rows counts, in milliseconds. */
const KNOWN_FOR_MS = 10_000;

const ROW_BYTES =
  'SELECT toFloat64(max(data_uncompressed_bytes / rows)) AS bytes FROM system.parts ' +
  `WHERE active AND table = 'event_payloads' AND part_type = 'Compact' AND rows > 0 AND data_uncompressed_bytes > ${BLOCK_BYTES}`;

/**
 * How many rows a scan of payloads reads in one step. The engine does not know the sizes of the columns of a compact part, and would read
 * the whole part, which has up to 64 MB.
 */
export class PayloadBlocks {
  readonly #runner: QueryRunner;
  #known: { readonly endsAt: number; readonly settings: string } | undefined;

  constructor(runner: QueryRunner) {
    this.#runner = runner;
  }

  /** Returns the clause of a sub-query that reads payloads; empty when no part is large. */
  async settings(): Promise<string> {
    if (this.#known !== undefined && performance.now() < this.#known.endsAt) return this.#known.settings;
    const [row] = await this.#runner.query<{ bytes: number }>({ sql: ROW_BYTES, bindings: {} });
    const rows = Math.max(MIN_ROWS, Math.floor(BLOCK_BYTES / Math.max(row?.bytes ?? 0, 1)));
    const settings = rows < DEFAULT_ROWS ? ` SETTINGS max_block_size = ${rows}` : '';
    this.#known = { endsAt: performance.now() + KNOWN_FOR_MS, settings };
    return settings;
  }
}
