import { shippedClientVectors } from '../test/shipped-client-vectors.js';
import { mapBothWays, table } from '../test/vectors.js';

describe('spans of shipped clients keep every value', () => {
  it.each(table(shippedClientVectors))('$name', ({ spans, events, scope }) => {
    expect(mapBothWays(spans, scope).events).toMatchObject(events);
  });

  it('drops the placeholder of a tool call id', () => {
    const [vector] = shippedClientVectors.filter(([name]) => name.startsWith('V58'));
    expect(mapBothWays(vector?.[1] ?? []).events[0]?.metadata).not.toHaveProperty('tool_call_id');
  });
});
