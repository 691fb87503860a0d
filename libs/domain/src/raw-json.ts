import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** The part of JSON's namespace that writes a number as its digits. */
interface WithRawJson {
  readonly rawJSON?: (text: string) => object;
}

/**
 * Returns `JSON.rawJSON`. Node 20 has it behind a flag, which a context made after the flag is set obeys; its values are
 * written by every context.
 */
function rawJsonOf(json: WithRawJson): (text: string) => object {
  if (json.rawJSON) return json.rawJSON;
  setFlagsFromString('--harmony-json-parse-with-source');
  const { rawJSON } = runInNewContext('JSON') as WithRawJson;
  if (!rawJSON) throw new Error('this version of Node cannot write integers as their digits');
  return rawJSON;
}

const rawJSON = rawJsonOf(JSON as WithRawJson);

// `JSON.stringify` refuses integers of this type, which a program may decide: they are written as their digits.
Object.defineProperty(BigInt.prototype, 'toJSON', {
  value(this: bigint) {
    return rawJSON(this.toString());
  },
  configurable: true,
  writable: true,
});
