import { conventionVectors } from '../test/convention-vectors.js';
import { mapBothWays, table } from '../test/vectors.js';

describe('spans of the conventions give the same in both encodings and whenever they are sent', () => {
  it.each(table(conventionVectors))('$name', ({ spans, events, scope }) => {
    expect(mapBothWays(spans, scope).events).toMatchObject(events);
  });
});
