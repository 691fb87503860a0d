import { EVENT_ROWS, type EventRowCodec, type RowTarget } from '../src/index.js';

/** Returns the bytes of a row by the table that holds them. */
export function splitRow(row: Buffer, codec: EventRowCodec = EVENT_ROWS) {
  const [narrow, payload]: [Buffer[], Buffer[]] = [[], []];
  const target = (parts: Buffer[]): RowTarget => ({
    copy: (bytes, start, end) => parts.push(Buffer.from(bytes.subarray(start, end))),
  });
  const payloadBytes = codec.split(row, { narrow: target(narrow), payload: target(payload) });
  return { narrow: Buffer.concat(narrow), payload: Buffer.concat(payload), payloadBytes };
}
