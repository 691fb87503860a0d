import { readFileSync } from 'node:fs';
import { DEFAULT_PRICES, loadPrices, type PriceTable } from '@assay/otlp';
import { ConfigError } from '@assay/runtime';

/**
 * The prices of this file, or those that come along when none is named.
 * @throws ConfigError when the file cannot be read or is no price table
 */
export function readPriceTable(file: string | undefined): PriceTable {
  if (file === undefined) return DEFAULT_PRICES;
  try {
    return loadPrices(readFileSync(file, 'utf8'));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigError([`PRICE_TABLE_FILE names a file that cannot be used: ${reason}`]);
  }
}
