import { randomUUID } from 'node:crypto';
import type { Event, JsonObject } from '@assay/domain';
import type { EventStore } from '../../src/event-store.js';
import { NEW_YEAR, newProject, sampleEvent, writeEvents } from '../event-fixture.js';
import { randomFrom } from '@assay/event-rows/test/random-fixture';

/** Roll-ups: no usage of a session is counted twice. */
export function rollupContract(store: () => EventStore): void {
  const usage = (prompt: number, completion: number) => ({
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
  });
  const sums = (prompt: number, completion: number, cost: number | null = null) => ({
    promptTokens: prompt,
    completionTokens: completion,
    totalTokens: prompt + completion,
    cost,
  });
  const step = (metadata: Event['metadata'], fields: Partial<Event> = {}) =>
    sampleEvent({ event_type: 'chain', metadata, ...fields });
  const model = (metadata: Event['metadata'], fields: Partial<Event> = {}) =>
    sampleEvent({ metadata, ...fields });
  const below = (parent: Event) => ({ parent_id: parent.event_id });
  const crowd = Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`k${i}`, i]));

  async function rollupOf(events: readonly Event[]) {
    const [project_id, session_id] = [newProject(), randomUUID()];
    await writeEvents(
      store(),
      events.map((event) => ({ ...event, project_id, session_id })),
    );
    return readRollup(project_id, session_id);
  }

  /** The roll-up of a session, which is the same however it is read. */
  async function readRollup(project_id: string, session_id: string) {
    const rollup = (await store().sessions.rollups(project_id, [session_id])).get(session_id);
    const session = sampleEvent({ project_id, session_id, event_id: session_id, event_type: 'session' });
    const derived = await store().events.derivedOf(project_id, [session]);
    expect(derived.rollups.get(session_id)).toStrictEqual(rollup);
    const whole = await store().sessions.read(project_id, session_id, 7_500);
    expect(whole?.rollup).toStrictEqual(rollup);
    return rollup;
  }

  it('counts the events that ended with an error', async () => {
    const failed = [step({}, { error: 'no' }), model({}, { error: '' }), model({})];
    expect(await rollupOf(failed)).toMatchObject({ numEvents: 3, numErrors: 2 });
  });

  it('excludes the totals of an agent whose model calls are stored', async () => {
    const agent = step({ trace_id: 't', aggregate_usage: { ...usage(100, 20), cost: 3 } });
    const turn = step({ trace_id: 't', aggregate_usage: usage(60, 10) }, below(agent));
    const models = [
      model({ trace_id: 't', ...usage(60, 10), cost: 1 }, below(turn)),
      model({ trace_id: 't', ...usage(40, 10), cost: 0.5 }, below(agent)),
    ];
    expect(await rollupOf([agent, turn, ...models])).toMatchObject(sums(100, 20, 1.5));
  });

  it('counts the total of an agent whose model calls are not stored, and not those of its steps', async () => {
    const agent = step({ trace_id: 't', aggregate_usage: { ...usage(100, 20), cost: 3 } });
    const turn = step({ trace_id: 't', aggregate_usage: { ...usage(60, 10), cost: 2 } }, below(agent));
    const elsewhere = model({ trace_id: 'u', ...usage(7, 1), cost: 0 });
    expect(await rollupOf([agent, turn, elsewhere, model({ trace_id: 't' }, below(turn))])).toMatchObject(
      sums(107, 21, 3),
    );
  });

  it('takes the cost from a total if the model calls report only tokens', async () => {
    const agent = step({ aggregate_usage: { ...usage(100, 20), cost: 3 } });
    expect(await rollupOf([agent, model(usage(100, 20), below(agent))])).toMatchObject(sums(100, 20, 3));
  });

  it('counts nested model calls once if both report the same response', async () => {
    const outer = model({ response_id: 'r', ...usage(10, 5), cost: 1 });
    const inner = model(
      { response_id: 'r', ...usage(11, 5), ...crowd },
      { ...below(outer), config: { model: 'm-1' } },
    );
    expect(await rollupOf([inner, outer])).toMatchObject({ ...sums(11, 5, 1), numModelEvents: 2 });
  });

  it('counts nested model calls once if both report the same model and counts', async () => {
    const outer = model({ ...usage(10, 5), cost: 1 });
    const middle = model({ ...usage(10, 5), cost: 1 }, below(outer));
    expect(await rollupOf([outer, middle, model({ ...usage(10, 5), cost: 1 }, below(middle))])).toMatchObject(
      sums(10, 5, 1),
    );
  });

  it.each(['m-1', 'openai/m-1', 'm.1', 'm-1:latest', 'm-1-2025-01-31', 'us.anthropic.m-1-20250131-v1:0'])(
    'counts a call once that an application and a gateway see, which name the model %s',
    async (name) => {
      const outer = model({ ...usage(10, 5), cost: 3 }, { config: { model: name } });
      const http = step({}, below(outer));
      const estimated = { ...usage(10, 5), cost: 1, cost_source: 'estimated' };
      const inner = model(estimated, { ...below(http), config: { model: 'm-1' } });
      expect(await rollupOf([outer, http, inner])).toMatchObject(sums(10, 5, 3));
    },
  );

  it('has no cost when a call reports tokens alone, and names the models of such calls', async () => {
    const named = (name: string, metadata: Event['metadata'] = usage(1, 1)) =>
      model(metadata, { config: { model: name } });
    const calls = [
      named('us.anthropic.Claude-9-20260131-v1:0'),
      named('openrouter/anthropic/claude-9'),
      named('free', { ...usage(1, 1), cost: 0 }),
      named('no-tokens', {}),
      model({ ...usage(1, 1), ...crowd, cost: 'none' }, { config: {} }),
      step({ aggregate_usage: { total_tokens: 9 } }),
    ];
    expect(await rollupOf([...calls, model({ ...usage(1, 1), cost: 4 })])).toMatchObject({
      cost: null,
      unpricedModels: ['claude-9', 'm', 'unknown'],
    });
  });

  it('counts model calls that only look alike separately', async () => {
    const outer = model({ response_id: 'r', ...usage(10, 5) });
    const others = [
      model({ response_id: 's', ...usage(10, 6) }, below(outer)),
      model({ response_id: 't', ...usage(10, 5) }, { ...below(outer), config: { model: 'another' } }),
      model({ response_id: 'r', ...usage(10, 5) }),
    ];
    expect(await rollupOf([outer, ...others])).toMatchObject(sums(40, 21));
  });

  it('decides for each agent of a trace separately', async () => {
    const withModels = step({ trace_id: 't', aggregate_usage: { ...usage(100, 20), cost: 3 } });
    const without = step({ trace_id: 't', aggregate_usage: { ...usage(30, 5), cost: 2 } });
    const models = [model({ trace_id: 't', ...usage(60, 10), cost: 1 }, below(withModels))];
    const raw = step({ trace_id: 't', aggregate_usage: usage(60, 10) }, below(models[0]!));
    expect(await rollupOf([withModels, without, ...models, raw])).toMatchObject(sums(90, 15, 3));
  });

  it('counts usage once while events between an agent and its model calls are missing', async () => {
    const agent = step({ trace_id: 't', aggregate_usage: usage(100, 20) });
    const missing = { parent_id: randomUUID() };
    expect(await rollupOf([agent, model({ trace_id: 't', ...usage(100, 20) }, missing)])).toMatchObject(
      sums(100, 20),
    );
  });

  it.each([299, 1_200])(
    'counts usage once in a session of %i more steps, before and after the agent and its model calls',
    async (steps) => {
      const agent = step({ trace_id: 't', aggregate_usage: { ...usage(100, 20), ...crowd } });
      const chain = Array.from({ length: steps }, () => step({}));
      const linked = chain.map((event, i) => ({ ...event, parent_id: (chain[i - 1] ?? agent).event_id }));
      const models = [model({ trace_id: 't', ...usage(100, 20), ...crowd }, below(linked.at(-1)!))];
      expect(await rollupOf([...models, ...linked, agent])).toMatchObject({
        ...sums(100, 20),
        numEvents: steps + 2,
      });
    },
  );

  const seeds = [Date.now() % 2 ** 31];
  it.each(seeds)(
    'counts the same from rows as in the engine, in random sessions of seed %i',
    async (seed) => {
      const random = randomFrom(seed);
      const pick = <Value>(values: readonly Value[]) => values[Math.floor(random() * values.length)]!;
      const texts = () => ({ trace_id: pick(['t', 'u', '']), response_id: pick(['r', 's', '']) });
      const amounts = () => ({
        ...usage(pick([0, 3, 7]), pick([0, 2])),
        ...pick<JsonObject>([
          {},
          { cost: 0 },
          { cost: 0.1 },
          { cost: 0.7 },
          { cost: '0.5' },
          { cost: 'none' },
        ]),
        ...pick<JsonObject>([
          {},
          {},
          {},
          { cost: 1e-3 },
          { cost: true },
          { cost: [1] },
          { cost: { total: 1 } },
        ]),
      });
      // A key with a dot is found on the path of the usage, too.
      const dotted = () => pick<JsonObject>([{}, {}, { 'aggregate_usage.cost': 2 }]);
      for (let round = 0; round < 8; round++) {
        const [project_id, session_id] = [newProject(), randomUUID()];
        const ids = Array.from({ length: 1 + Math.floor(random() * 20) }, () => randomUUID());
        const starts = ids.map(() => NEW_YEAR + pick([0, 1, 3_600_000]));
        const events = () =>
          ids.map((event_id, index) => {
            const kind = pick(['model', 'chain', 'tool', 'session'] as const);
            const reported = kind === 'model' ? amounts() : { aggregate_usage: amounts() };
            const parent_id = pick([null, '', session_id, randomUUID(), ...ids]);
            const start_time = starts[index]! + (random() < 0.02 ? 7_200_000 : 0);
            const end_time = pick([null, start_time + 5]);
            const metadata = { ...texts(), ...dotted(), ...reported };
            const config = pick<JsonObject>([{}, { model: 'm' }, { model: 'n' }, { model: 7 }]);
            const feedback = pick<JsonObject>([{}, { rating: 1 }]);
            const at = {
              project_id,
              session_id,
              event_id,
              event_type: kind,
              parent_id,
              start_time,
              end_time,
            };
            return sampleEvent({ ...at, metadata, config, feedback, error: pick([null, '', 'no']) });
          });
        await writeEvents(store(), events());
        // Second versions of rows. A few have another hour, and are other rows of the same event.
        const updated = events().filter(() => random() < 0.4);
        await writeEvents(store(), updated, 100);
        await readRollup(project_id, session_id);
      }
    },
  );

  it('counts sessions separately', async () => {
    const project_id = newProject();
    const [one, two] = [randomUUID(), randomUUID()];
    const agent = step({ trace_id: 't', aggregate_usage: usage(9, 1) }, { project_id, session_id: one });
    await writeEvents(store(), [
      agent,
      model({ trace_id: 't', ...usage(5, 1) }, { project_id, session_id: two, ...below(agent) }),
    ]);
    const rollups = await store().sessions.rollups(project_id, [one, two]);
    const sessions = [one, two].map((id) =>
      sampleEvent({ project_id, session_id: id, event_type: 'session' }),
    );
    expect((await store().events.derivedOf(project_id, sessions)).rollups).toStrictEqual(rollups);
    expect([rollups.get(one), rollups.get(two)]).toMatchObject([sums(9, 1), sums(5, 1)]);
  });

  it('counts usage once in each of many sessions, small and large', async () => {
    const project_id = newProject();
    const sizes = [...Array<number>(204).fill(1), 58, 59, 120, 310];
    const sessions = sizes.map((steps) => {
      const session_id = randomUUID();
      const agent = step({ trace_id: 't', aggregate_usage: usage(100, 20) });
      const call = model({ trace_id: 't', ...usage(100, 20), ...(steps === 59 && crowd) }, below(agent));
      const more = Array.from({ length: steps }, () => step({}));
      return [agent, ...more, call].map((event) => ({ ...event, project_id, session_id }));
    });
    await writeEvents(store(), sessions.flat());
    const ids = sessions.map(([first]) => first!.session_id);
    const rollups = await store().sessions.rollups(project_id, ids);
    const events = ids.map((session_id) => sampleEvent({ project_id, session_id, event_type: 'session' }));
    expect((await store().events.derivedOf(project_id, events)).rollups).toEqual(rollups);
    expect(ids.map((id) => rollups.get(id))).toMatchObject(
      sizes.map((steps) => ({ ...sums(100, 20), numEvents: steps + 2 })),
    );
  });

  it('counts the usage of many sessions whose index is incomplete, small and large', async () => {
    const project_id = newProject();
    const sizes = [...Array<number>(230).fill(0), 310, 1];
    const sessions = sizes.map((steps, index) => {
      const session_id = randomUUID();
      const call = model({ ...usage(100 + index, 20), ...crowd });
      return [call, ...Array.from({ length: steps }, () => step({}))].map((event) => ({
        ...event,
        project_id,
        session_id,
      }));
    });
    await writeEvents(store(), sessions.flat());
    const ids = sessions.map(([first]) => first!.session_id);
    const rollups = await store().sessions.rollups(project_id, ids);
    expect(ids.map((id) => rollups.get(id))).toMatchObject(
      sizes.map((steps, index) => ({ ...sums(100 + index, 20), numEvents: steps + 1 })),
    );
  });
}
