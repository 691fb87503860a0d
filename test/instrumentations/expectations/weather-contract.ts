import type { FoundEvent, ProgramEnd } from '../scene/programs.js';
import type { Library } from '../libraries/library.js';
import { lostValues } from './lost-values.js';
import { eventsOf, sentSpans, type SentSpan } from './sent-span.js';

/** How the program of a library ended and what Assay stored of it. */
export interface PlayedLibrary {
  readonly sessionKey: string;
  readonly end: ProgramEnd;
  readonly events: readonly FoundEvent[];
}

const QUESTION = 'What is the weather in Oslo';
const FAILED_EXPORT = /failed to export|exception while exporting|transient error|export\w* failed/i;
const CALL = { name: 'get_weather', arguments: { city: 'Oslo' } };

/** What a user sees of a question that is answered with a tool's help, whichever library traced it. */
export function weatherContract(library: Library, played: () => PlayedLibrary): void {
  let end: ProgramEnd;
  let events: readonly FoundEvent[];
  let sent: SentSpan[];
  const ofType = (type: string) =>
    events.filter(({ event_type }) => event_type === type).sort((a, b) => a.start_time - b.start_time);
  const calls = () =>
    ofType('model').filter(({ inputs, outputs }) => 'chat_history' in inputs && 'role' in outputs);

  beforeAll(() => {
    ({ end, events } = played());
    sent = sentSpans(end);
  });

  it('ends well and exports every span', () => {
    expect(end).toMatchObject({ status: 0, stderr: expect.not.stringMatching(FAILED_EXPORT) as string });
    expect(sent.length).toBeGreaterThanOrEqual(3);
  });

  it('is one event for each span, below one session', () => {
    expect(sent.map((span) => eventsOf(span, events).length)).toEqual(sent.map(() => 1));
    expect(ofType('session')).toHaveLength(1);
    expect(events).toHaveLength(sent.length + 1);
    const [session] = ofType('session');
    expect(session?.metadata.session_key).toBe(played().sessionKey);
    for (const span of sent) {
      const parent = sent.find(({ spanId }) => spanId === span.parentSpanId);
      const [parentEvent] = parent ? eventsOf(parent, events) : [session];
      const [event] = eventsOf(span, events);
      expect(event?.session_id).toBe(session?.event_id);
      // Some libraries never end the span above one that failed.
      if (parent ?? span.parentSpanId === null) expect(event?.parent_id).toBe(parentEvent?.event_id);
    }
  });

  it('names model and provider of a call', () => {
    const { model, provider } = library;
    expect(calls()[0]?.config).toMatchObject({ model, ...(provider && { provider }) });
  });

  it('has the messages of the call and of the final text', () => {
    const [call, final] = calls();
    const { ofCall, ofFinal } = library.finish ?? {};
    expect(call?.inputs.chat_history).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ role: 'user', content: expect.stringContaining(QUESTION) as string }),
      ]),
    );
    const { instructions } = library;
    if (instructions !== undefined)
      expect(call?.inputs.chat_history).toEqual(
        expect.arrayContaining([{ role: 'system', content: instructions }]),
      );
    expect(call?.outputs).toMatchObject({
      role: 'assistant',
      tool_calls: expect.arrayContaining([expect.objectContaining(CALL)]) as unknown,
      ...(ofCall && { finish_reason: ofCall }),
    });
    expect(JSON.stringify(final?.inputs.chat_history)).toContain('12 degrees');
    if (library.finalText)
      expect(final?.outputs).toMatchObject({
        role: 'assistant',
        content: library.finalText,
        ...(ofFinal && { finish_reason: ofFinal }),
      });
  });

  it('has the tool with inputs and outputs', () => {
    const [tool] = ofType('tool');
    expect(tool).toEqual(library.tool ? expect.objectContaining(library.tool) : undefined);
  });

  const { steps = [] } = library;
  if (steps.length > 0)
    it('has the other steps of the library', () => {
      for (const step of steps) expect(events).toContainEqual(expect.objectContaining(step));
    });

  it('counts tokens and cost of both calls once', () => {
    const [session] = ofType('session');
    const { prompt_tokens = 0, completion_tokens = 0 } = library.tokens ?? {};
    const [call, final] = calls();
    expect(call?.metadata).toMatchObject(library.tokens ?? {});
    expect(session?.metadata).toMatchObject({
      prompt_tokens: 2 * prompt_tokens,
      completion_tokens: 2 * completion_tokens,
    });
    const cost = [call, final].reduce((sum, event) => sum + Number(event?.metadata.cost ?? 0), 0);
    expect(session?.metadata.cost).toBeCloseTo(cost, 12);
    expect(cost > 0).toBe(library.tokens !== undefined);
  });

  it('has the error of the call that failed', () => {
    const failed = events.filter(({ error }) => error?.includes('the model is broken'));
    expect(failed.length).toBeGreaterThanOrEqual(1);
    expect(failed.some(({ event_type }) => event_type === 'model')).toBe(true);
  });

  if (library.user)
    it('names the user on every event', () => {
      for (const event of events) expect(event.user_properties).toMatchObject({ user_id: library.user });
    });

  it('loses no value of a span', () => {
    expect(
      sent.flatMap((span) => lostValues(span, [...eventsOf(span, events), ...ofType('session')])),
    ).toEqual([]);
  });
}
