import { property, textAt } from './read-json.js';

const CODE = /^[a-z][a-z_]{2,49}$/i;

/**
 * Returns the error code of a provider, such as `model_not_found`. Messages of providers are never quoted, because they repeat keys and
 * prompts.
 */
export function readErrorCode(body: string): string | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    return undefined;
  }
  const error = property(parsed, 'error');
  return [textAt(error, 'code'), textAt(error, 'type'), textAt(parsed, '__type')].find(
    (code) => code !== undefined && CODE.test(code),
  );
}
