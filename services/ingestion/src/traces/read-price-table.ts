import { readFileSync } from 'node:fs';
import { DEFAULT_PRICES, loadPrices, type PriceTable } from '@assay/otlp';
import { ConfigError } from '@assay/runtime';

/**
 * Returns the price table of the file, or the built-in one when no file is named.
 * @throws ConfigError when the file cannot be read or is not a price table
 */
export function readPriceTable(file: string | undefined): PriceTable {
  if (file === undefined) return DEFAULT_PRICES;
  try {
    return loadPrices(readFileSync(file, 'utf8'));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigError([`PRICE_TABLE_FILE is not a usable price table: ${reason}`]);
  }
}
