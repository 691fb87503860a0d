import { eventsOf, sentSpans, type SentSpan } from './expectations/sent-span.js';
import { clientProgram, pythonWith } from './packages/client-packages.js';
import { playPrograms } from './scene/play.js';
import type { FoundEvent, SceneOutcome } from './scene/programs.js';

/** AutoGen tells of agents, tools and messages between agents; each message is a trace of its own. */
describe('a team of AutoGen', () => {
  let outcome: SceneOutcome;
  let sent: SentSpan[];
  const eventOf = (span: SentSpan): FoundEvent => eventsOf(span, outcome.events)[0]!;
  const messages = () => sent.filter(({ name }) => name.startsWith('autogen '));

  beforeAll(async () => {
    const program = {
      file: await pythonWith('agents'),
      args: [clientProgram('python/libraries/autogen_team.py')],
      environment: { PYTHONPATH: clientProgram('python'), SESSION: 'not used' },
    };
    outcome = await playPrograms({ programs: [program], programWithinMs: 60_000 });
    sent = sentSpans(outcome.ends[0]!);
  }, 600_000);

  it('ends well, and is one event for each span', () => {
    expect(outcome.ends[0]).toMatchObject({ status: 0 });
    expect(messages().length).toBeGreaterThanOrEqual(10);
    expect(sent.map((span) => eventsOf(span, outcome.events).length)).toEqual(sent.map(() => 1));
  });

  it('has one session for all messages, agents and tools of the conversation', () => {
    const ofConversation = sent.filter(({ name }) => name !== 'create_agent forecaster');
    const sessions = new Set(ofConversation.map((span) => eventOf(span).session_id));
    expect(new Set(messages().map(({ traceId }) => traceId)).size).toBeGreaterThan(3);
    expect([...sessions]).toEqual([expect.stringMatching(/^[0-9a-f]{8}-/)]);
  });

  it('has messages and agents as chains, and the tool as a tool', () => {
    const typesOf = (spans: SentSpan[]) => new Set(spans.map((span) => eventOf(span).event_type));
    expect([...typesOf(messages())]).toEqual(['chain']);
    expect([...typesOf(sent.filter(({ name }) => name === 'invoke_agent forecaster'))]).toEqual(['chain']);
    const tool = outcome.events.find(({ event_type }) => event_type === 'tool');
    expect(tool).toMatchObject({
      event_name: 'execute_tool get_weather',
      config: { framework: 'autogen' },
      metadata: { tool_name: 'get_weather', tool_call_id: 'call_weather_1' },
    });
  });
});
