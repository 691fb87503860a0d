import { Client } from '../harness/stack/client.js';
import { onStack } from '../harness/stack/on-stack.js';
import type { Stack } from '../harness/stack/stack.js';
import { agreementJourney } from './agreement-journey.js';
import { badInputJourney } from './bad-input-journey.js';
import { COMPLETE_NUMBERS_SETTINGS, completeNumbersJourney } from './complete-numbers-journey.js';
import { datapointBatchJourney } from './datapoint-batch-journey.js';
import { eventJourney } from './event-journey.js';
import { exactIntegerJourney } from './exact-integer-journey.js';
import { exactIntegerResourcesJourney } from './exact-integer-resources-journey.js';
import { killedRunJourney } from './killed-run-journey.js';
import { layeredCallsJourney } from './layered-calls-journey.js';
import { olderClientsJourney } from './older-clients-journey.js';
import { queueJourney } from './queue-journey.js';
import { repeatedRequestsJourney } from './repeated-requests-journey.js';
import { oneSessionRunJourney } from './one-session-run-journey.js';
import { runJourney } from './run-journey.js';
import { sessionJourney } from './session-journey.js';
import { traceSessionJourney } from './trace-session-journey.js';
import { typescriptClientJourney } from './typescript-client-journey.js';
import { updateJourney } from './update-journey.js';

/** Tests of one area: in a project of their own, and when they need settings also on a stack of their own. */
export interface Journey {
  readonly name: string;
  readonly declare: (start: () => Promise<Stack>) => void;
  /** Settings of the standalone process for this journey. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Settings of every process for this journey. */
  readonly everywhere?: Readonly<Record<string, string>>;
}

/** On a slow machine the store is behind by more than the default, at which several projects are limited to their share. */
const NEVER_BEHIND = { MAX_STORE_LAG_SECONDS: '600' };

/** Declares the journeys that need no settings in a project each of one stack, the others on a stack each. */
export function declareJourneys(
  journeys: readonly Journey[],
  where: string,
  start: (settings: Pick<Journey, 'settings' | 'everywhere'>) => Promise<Stack>,
): void {
  const needsSettings = ({ settings, everywhere }: Journey) => Boolean(settings ?? everywhere);
  const [alone, together] = [journeys.filter(needsSettings), journeys.filter((one) => !needsSettings(one))];
  if (together.length > 0)
    describe(`in projects ${where}`, () => {
      const { stack } = onStack(() => start({ everywhere: NEVER_BEHIND }));
      describe.each(together)('$name', ({ name, declare }) => declare(() => projectOf(stack, name)));
    });
  for (const { name, declare, ...settings } of alone)
    describe(`${name} ${where}`, () => declare(() => start(settings)));
}

/** A project of its own on a running stack, which it does not stop. */
async function projectOf(stack: Stack, name: string): Promise<Stack> {
  const made = await new Client(stack).post('/v1/projects', { name }, { key: stack.adminToken });
  if (made.status !== 200) throw new Error(`a project is refused with ${made.status}: ${made.text}`);
  const { api_key } = made.json<{ api_key: string }>();
  const own: Partial<Stack> = { apiKey: api_key, stop: () => Promise.resolve(true) };
  return new Proxy(stack, { get: (of, key) => Reflect.get(key in own ? own : of, key) as unknown });
}

/** Two lists of about the same run time, each in a file of its own, so that two jest workers share them. */
export const INGEST_JOURNEYS: readonly Journey[] = [
  { name: 'events', declare: (start) => updateJourney(eventJourney(start)) },
  { name: 'bad input', declare: badInputJourney },
  {
    name: 'exact integers',
    declare: (start) => exactIntegerResourcesJourney(exactIntegerJourney(onStack(start))),
  },
  { name: 'repeated requests', declare: repeatedRequestsJourney },
  { name: 'clients', declare: (start) => typescriptClientJourney(olderClientsJourney(start)) },
];
export const SESSION_JOURNEYS: readonly Journey[] = [
  { name: 'sessions', declare: sessionJourney },
  {
    name: 'sessions of traces',
    declare: (start) => layeredCallsJourney(traceSessionJourney(start)),
  },
  {
    name: 'queues',
    declare: (start) => agreementJourney(queueJourney(start)),
    settings: { REDACT_VALUES: 'true', REDACT_ALLOW: 'marker' },
  },
  { name: 'datapoints from events', declare: datapointBatchJourney },
  { name: 'runs', declare: (start) => void runJourney(start) },
  { name: 'runs of one session', declare: oneSessionRunJourney },
];

/** Journeys that kill processes or load them; on the standalone process they run with the tests of `chaos/`. */
export const KILL_JOURNEYS: readonly Journey[] = [
  { name: 'runs during kills', declare: (start) => killedRunJourney(onStack(start)) },
  {
    name: 'numbers under load',
    declare: (start) => completeNumbersJourney(start),
    everywhere: COMPLETE_NUMBERS_SETTINGS,
  },
];
