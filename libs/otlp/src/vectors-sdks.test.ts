import { sdkVectors } from '../test/sdk-vectors.js';
import { mapBothWays, table } from '../test/vectors.js';

describe('spans of SDKs and frameworks give the same in both encodings and whenever they are sent', () => {
  it.each(table(sdkVectors))('$name', ({ spans, events, scope }) => {
    expect(mapBothWays(spans, scope).events).toMatchObject(events);
  });
});
