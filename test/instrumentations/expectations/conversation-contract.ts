import { playPrograms } from '../scene/play.js';
import type { FoundEvent, Program, SceneOutcome } from '../scene/programs.js';
import { lostValues } from './lost-values.js';
import { eventsOf, sentSpans, type SentSpan } from './sent-span.js';

/** A client that has the conversation of python/send_conversation.py, and what it tells of it. */
export interface ConversationClient {
  readonly name: string;
  program(): Promise<Program>;
  /** Model in the events: the requested or the responding one. */
  readonly model: string;
  readonly finishOfToolCall: string;
  /** Token counts of a response beside the three totals. */
  readonly moreTokens: Readonly<Record<string, number>>;
  readonly countsStreams: boolean;
  readonly tellsTools: boolean;
  /** What it says about embeddings; undefined: neither texts nor vectors. */
  readonly embeddings?: { readonly inputs: object; readonly outputs: object; readonly promptTokens?: number };
  readonly tellsFailures: boolean;
}

const TOKENS = { prompt_tokens: 1234, completion_tokens: 57, total_tokens: 1291 };
const TOOL_CALL = { id: 'call_weather_1', name: 'get_weather', arguments: { city: 'Oslo' } };
const WITHIN_MS = 600_000;

/** What a user sees of a conversation that went through a client with nothing but its URL changed. */
export function conversationContract(client: ConversationClient): void {
  let outcome: SceneOutcome;
  let sent: SentSpan[];
  let chats: FoundEvent[];
  const root = () =>
    outcome.events.find(
      ({ event_type, event_name }) => event_type !== 'session' && event_name === 'answer question',
    );
  const sessions = () => outcome.events.filter(({ event_type }) => event_type === 'session');

  beforeAll(async () => {
    outcome = await playPrograms({ programs: [await client.program()], programWithinMs: 60_000 });
    sent = sentSpans(outcome.ends[0]!);
    const starts = outcome.events.filter(
      ({ event_type, inputs }) => event_type === 'model' && 'chat_history' in inputs,
    );
    chats = starts.sort((a, b) => a.start_time - b.start_time);
  }, WITHIN_MS);

  it('exits with 0 and reports no failed export', () => {
    expect(outcome.ends[0]).toMatchObject({
      status: 0,
      stderr: expect.not.stringMatching(/fail|error|warn/i) as string,
    });
    expect(sent.length).toBeGreaterThanOrEqual(5);
  });

  it('stores one event for each span and one session', () => {
    expect(sent.map((span) => eventsOf(span, outcome.events).length)).toEqual(sent.map(() => 1));
    expect(sessions()).toHaveLength(1);
    expect(outcome.events).toHaveLength(sent.length + 1);
  });

  it('stores names and tree of the spans below the session', () => {
    const [session] = sessions();
    expect(session).toMatchObject({ event_name: 'answer question', parent_id: null });
    for (const span of sent) {
      const parent = sent.find(({ spanId }) => spanId === span.parentSpanId);
      const [parentEvent] = parent ? eventsOf(parent, outcome.events) : [session];
      expect(eventsOf(span, outcome.events)[0]).toMatchObject({
        event_name: span.name,
        parent_id: parentEvent?.event_id,
        session_id: session?.event_id,
      });
    }
    expect(root()).toMatchObject({
      event_type: 'chain',
      error: null,
      metadata: { session_key: 'conversation-7', team: 'support' },
    });
  });

  it('stores a chat with history, response, settings and tokens', () => {
    expect(chats[0]).toMatchObject({
      event_type: 'model',
      error: null,
      inputs: {
        chat_history: [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: 'Grüße 🌍' },
        ],
      },
      outputs: { role: 'assistant', content: 'Hello from the model.', finish_reason: 'stop' },
      config: { provider: 'openai', model: client.model, temperature: 0.375, max_tokens: 256 },
      metadata: { ...TOKENS, ...client.moreTokens, response_model: 'gpt-4o-2026-08-06' },
    });
  });

  it('stores a tool call', () => {
    expect(chats[1]?.outputs).toEqual({
      role: 'assistant',
      content: null,
      tool_calls: [TOOL_CALL],
      finish_reason: client.finishOfToolCall,
    });
    expect(JSON.stringify(chats[1]?.config.tools ?? []).includes('Tells the weather of a city')).toBe(
      client.tellsTools,
    );
  });

  it('stores a streamed response whole, after the history with the tool result', () => {
    expect(chats[2]).toMatchObject({
      inputs: {
        chat_history: [
          { role: 'user', content: 'What is the weather in Oslo?' },
          { role: 'assistant', content: null, tool_calls: [TOOL_CALL] },
          { role: 'tool', content: '12 degrees', tool_call_id: 'call_weather_1' },
        ],
      },
      outputs: { role: 'assistant', content: 'It is 12 degrees in Oslo.' },
      metadata: client.countsStreams ? TOKENS : {},
    });
  });

  it('stores embeddings as model events', () => {
    const found = outcome.events.find(({ event_name }) => /embeddings/i.test(event_name));
    const { inputs = {}, outputs = {}, promptTokens } = client.embeddings ?? {};
    expect(found).toMatchObject({
      event_type: 'model',
      inputs,
      outputs,
      config: { provider: 'openai', model: 'text-embedding-3-small' },
      metadata: promptTokens === undefined ? {} : { prompt_tokens: promptTokens, total_tokens: promptTokens },
    });
  });

  it('stores a failed call with its error and adds up the tokens of the session', () => {
    expect(outcome.events.filter(({ error }) => error?.includes('the model is broken'))).toHaveLength(
      client.tellsFailures ? 1 : 0,
    );
    const counted = client.countsStreams ? 3 : 2;
    const prompt_tokens = counted * TOKENS.prompt_tokens + (client.embeddings?.promptTokens ?? 0);
    expect(sessions()[0]?.metadata).toMatchObject({
      prompt_tokens,
      completion_tokens: counted * TOKENS.completion_tokens,
    });
  });

  it('loses no value of a span', () => {
    expect(
      sent.flatMap((span) => lostValues(span, [...eventsOf(span, outcome.events), ...sessions()])),
    ).toEqual([]);
  });
}
