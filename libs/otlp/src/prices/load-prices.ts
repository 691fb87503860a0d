import { isJsonObject, type JsonObject, type JsonValue } from '@assay/domain';
import { validationError } from '@assay/errors';
import { PriceTable, type Price } from './price-table.js';

/**
 * Reads a price table from JSON text, which replaces the built-in table:
 * `{"as_of": "2026-01-31", "prices": [{"models": ["gpt-4o", "my-model-*"], "providers": ["openai"], "input": 2.5, "cached_input": 1.25,
 * "cache_write": 2.5, "output": 10, "max_input_tokens": 200000}]}`, in US dollars per million tokens. `models`, `input` and `output` are required.
 *
 * @throws AppError VALIDATION_ERROR that names the entry and the field
 */
export function loadPrices(text: string): PriceTable {
  const table = parse(text);
  const asOf = isJsonObject(table) ? table['as_of'] : undefined;
  const prices = isJsonObject(table) ? table['prices'] : undefined;
  if (typeof asOf !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(asOf))
    throw validationError('as_of must be a date such as 2026-01-31');
  if (!Array.isArray(prices) || prices.length === 0)
    throw validationError('prices must be a list of at least one price');
  return new PriceTable(
    asOf,
    prices.map((price, index) => readPrice(price, `prices[${index}]`)),
  );
}

function parse(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch (cause) {
    throw validationError('the price table is not valid JSON', { cause });
  }
}

const FIELDS = ['models', 'providers', 'input', 'output', 'cached_input', 'cache_write', 'max_input_tokens'];

function readPrice(price: JsonValue, at: string): Price {
  if (!isJsonObject(price)) throw validationError(`${at} must be an object`);
  const unknown = Object.keys(price).some((field) => !FIELDS.includes(field));
  if (unknown) throw validationError(`${at} may only have ${FIELDS.join(', ')}`);
  return {
    models: required(readNames(price, 'models', at), `${at}.models`),
    providers: readNames(price, 'providers', at),
    input: required(readNumber(price, 'input', at), `${at}.input`),
    output: required(readNumber(price, 'output', at), `${at}.output`),
    cachedInput: readNumber(price, 'cached_input', at),
    cacheWrite: readNumber(price, 'cache_write', at),
    maxInputTokens: readNumber(price, 'max_input_tokens', at),
  };
}

function required<T>(value: T | undefined, field: string): T {
  if (value === undefined) throw validationError(`${field} is required`);
  return value;
}

function readNames(price: JsonObject, field: string, at: string): string[] | undefined {
  const names = price[field];
  if (names === undefined) return undefined;
  const isList = Array.isArray(names) && names.length > 0;
  if (!isList) throw validationError(`${at}.${field} must be a list of names`);
  return names.map((name) => {
    if (typeof name !== 'string' || name.trim() === '' || name === '*')
      throw validationError(`${at}.${field} must be a list of names`);
    return name.trim().toLowerCase();
  });
}

function readNumber(price: JsonObject, field: string, at: string): number | undefined {
  const number = price[field];
  if (number === undefined) return undefined;
  if (typeof number !== 'number' || !Number.isFinite(number) || number < 0)
    throw validationError(`${at}.${field} must be a number of at least 0`);
  return number;
}
