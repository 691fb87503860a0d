import { mapAttributes } from '../../test/map-one.js';

const TEAM = '173a8673-4d34-4016-a328-b8c719e4468b';
const topic = `output_topic_${TEAM}.(${TEAM})-T`;
const agent = `forecaster_${TEAM}.(${TEAM})-A`;

describe('messages between agents of AutoGen', () => {
  test.each([
    ['published to a topic', { 'messaging.operation': 'publish', 'messaging.destination': topic }],
    ['processed by an agent', { 'messaging.operation': 'process', 'messaging.destination': agent }],
    ['acknowledged', { 'messaging.destination': '', sender_agent_type: `Manager_${TEAM}` }],
  ])('share the session of their team: %s', (_, attributes) => {
    expect(mapAttributes(attributes)).toMatchObject({ session_id: TEAM, event_type: 'chain' });
  });

  test.each([
    ['a source that every conversation has', { 'messaging.destination': 'worker.(default)-A' }],
    ['a queue of another system', { 'messaging.destination': `orders-${TEAM}` }],
    ['an agent that belongs to no team', { sender_agent_type: 'worker' }],
  ])('say nothing about the session: %s', (_, attributes) => {
    const { session_id: session, metadata } = mapAttributes(attributes);
    expect(session).toBe(mapAttributes({}).session_id);
    expect(metadata).toMatchObject(attributes);
  });

  test('keep the session that another attribute sets', () => {
    const { metadata } = mapAttributes({ 'messaging.destination': topic, 'session.id': 'chat-1' });
    expect(metadata).toMatchObject({ session_key: 'chat-1', 'messaging.destination': topic });
  });
});
