import { mapAttributes, mapSpans } from '../../test/map-one.js';
import { SPAN_ID } from '../../test/otlp-request.js';

describe('spans of the Model Context Protocol', () => {
  it.each([
    [{ 'mcp.method.name': 'tools/list' }, 'tool'],
    [{ 'mcp.method.name': 'initialize' }, 'tool'],
    [{ 'mcp.method.name': 'sampling/createMessage' }, 'tool'],
    [{ 'mcp.method.name': 'sampling/createMessage', 'gen_ai.request.model': 'm' }, 'model'],
  ])('%j is a %s', (attributes, type) => {
    expect(mapAttributes(attributes)).toMatchObject({
      event_type: type,
      metadata: { 'mcp.method.name': attributes['mcp.method.name'] },
    });
  });

  it('of client and server are two events, one below the other, and name no session', () => {
    const attributes = { 'mcp.method.name': 'tools/call', 'mcp.session.id': 'abc' };
    const { events, sessions } = mapSpans([
      { kind: 3, attributes },
      { kind: 2, spanId: 'aaaaaaaaaaaaaaaa', parentSpanId: SPAN_ID, attributes },
    ]);
    expect(events).toMatchObject([
      { event_type: 'tool' },
      { event_type: 'tool', parent_id: events[0]?.event_id },
    ]);
    expect(sessions).toHaveLength(1);
    expect(events[0]?.metadata).toMatchObject({ 'mcp.session.id': 'abc' });
    expect(events[0]?.metadata).not.toHaveProperty('session_key');
  });
});
