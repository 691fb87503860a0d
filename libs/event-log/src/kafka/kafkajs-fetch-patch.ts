import { createRequire } from 'node:module';
import { MAX_RECORD_BYTES } from '../record-size.js';
import { cutFetchResponse } from './cut-fetch-response.js';

interface ProtocolRequest {
  readonly response: { readonly decode: (bytes: Buffer) => Promise<unknown> };
}

interface FetchModule {
  protocol: (version: { readonly version: number }) => (args: unknown) => ProtocolRequest;
}

/** Versions whose records are batches, and whose layout is known. */
const FIRST_VERSION = 4;
const LAST_VERSION = 11;
const LIMITS = { partitionBytes: MAX_RECORD_BYTES, totalBytes: 2 * MAX_RECORD_BYTES };

const patched = new WeakSet<object>();

/** Makes kafkajs decompress at most {@link LIMITS} of a fetch response, or one batch of each partition. */
export function patchFetchDecoder(): void {
  const fetch = createRequire(__filename)('kafkajs/src/protocol/requests/fetch') as FetchModule;
  if (patched.has(fetch)) return;
  patched.add(fetch);
  const { protocol } = fetch;
  fetch.protocol = ({ version }) => {
    const make = protocol({ version });
    if (version < FIRST_VERSION || version > LAST_VERSION) return make;
    return (args) => {
      const { response, ...rest } = make(args);
      const decode = (bytes: Buffer) => {
        cutFetchResponse(bytes, version, LIMITS);
        return response.decode(bytes);
      };
      return { ...rest, response: { ...response, decode } };
    };
  };
}
