import {
  comparedModelName,
  countUsage,
  plainModelName,
  unpricedName,
  type Event,
  type UsageReport,
} from '@assay/domain';
import type { SessionRollup } from '../../../event-store.js';
import { indexLeaves, type Leaves } from '@assay/event-rows';
import { literal } from '../../engine/engine.js';
import { numberOf } from '../../filter/stored-value.js';
import { AMOUNTS } from './rollup-query.js';
import type { RowKey } from '../rows/row-key.js';

/** What the roll-up of its session has to know of an event. */
export interface EventFacts extends RowKey {
  readonly parent_id: string | null;
  readonly event_type: string;
  readonly start_time: number;
  readonly ended: number | null;
  readonly failed: number;
  readonly is_rated: number;
  /** Whether the index has all that the event reports. */
  readonly complete: boolean;
  /** Number of the id, as `rollupQuery` has it, because usage is counted in the order of these numbers. */
  readonly id: number;
  /** Indexed numbers of {@link AMOUNTS} and of the totals of them, by path. */
  readonly amounts: Readonly<Record<string, number>>;
  /** Indexed texts that tell calls apart, by path. */
  readonly texts: Readonly<Record<string, string>>;
}

/** The facts that the columns of a row hold, without its indexed leaves. */
export type PlainFacts = Omit<EventFacts, 'amounts' | 'texts'>;

type AmountPaths = Readonly<Record<(typeof AMOUNTS)[number], string>>;

const CALL_PATHS = pathsBelow('metadata');
const SUM_PATHS = pathsBelow('metadata.aggregate_usage');
const AMOUNT_PATHS = AMOUNTS.flatMap((name) => [CALL_PATHS[name], SUM_PATHS[name]]);
const TEXT_PATHS = ['metadata.trace_id', 'metadata.response_id', 'metadata.cost_source', 'config.model'];

/** What to select for the {@link PlainFacts} of a row, besides columns that are selected as they are stored. */
export const PLAIN_FACT_COLUMNS = [
  `${numberOf('end_time')} AS ended`,
  'isNotNull(error) AS failed',
  `feedback != '{}' AS is_rated`,
  'complete',
  'bitShiftRight(sipHash64(toString(event_id)), 11) AS id',
].join(', ');

/** The same for {@link EventFacts}. */
export const FACT_COLUMNS = [
  PLAIN_FACT_COLUMNS,
  `${leavesAt(AMOUNT_PATHS, 'nums')} AS amounts`,
  `${leavesAt(TEXT_PATHS, 'attrs')} AS texts`,
].join(', ');

function pathsBelow(path: string): AmountPaths {
  return Object.fromEntries(AMOUNTS.map((name) => [name, `${path}.${name}`])) as AmountPaths;
}

/** A function per path would cost as much to plan as the rest of a small statement. */
function leavesAt(paths: readonly string[], column: string): string {
  return `mapFilter((path, value) -> path IN (${paths.map(literal).join(', ')}), ${column})`;
}

/**
 * The facts of an event whose objects are known, too. Where the index is complete, its leaves are those of the stored
 * one: reading them from the event costs less than two expressions over maps, which are a fifth of a small statement.
 */
export function factsOf(facts: PlainFacts, event: Event): EventFacts {
  const { attrs, nums } = indexLeaves(event, ['metadata', 'config']);
  return { ...facts, amounts: valuesAt(AMOUNT_PATHS, nums), texts: valuesAt(TEXT_PATHS, attrs) };
}

function valuesAt<Value>(paths: readonly string[], leaves: Leaves<Value>): Record<string, Value> {
  const isWanted = new Set(paths);
  const entries = leaves.paths.map((path, index) => [path, leaves.values[index]] as const);
  return Object.fromEntries(entries.filter(([path]) => isWanted.has(path))) as Record<string, Value>;
}

/**
 * Whether the facts of the rows of a session are enough for its roll-up: what an event with an incomplete index reports is
 * known from its stored text alone, and of two rows of one event, which it has while its sort key changes, the engine
 * decides the order.
 */
export function areEnough(rows: readonly PlainFacts[]): boolean {
  const areIndexed = rows.every(({ complete, event_type: type }) => complete || type === 'session');
  return areIndexed && new Set(rows.map((row) => row.key_event)).size === rows.length;
}

/**
 * The roll-up of the rows of one session, by the rules of `rollupQuery`; undefined when there is none but the session's
 * own. Their facts are enough.
 */
export function rollupOfEvents(rows: readonly EventFacts[]): SessionRollup | undefined {
  const events = rows.filter(({ event_type: type }) => type !== 'session');
  if (events.length === 0) return undefined;
  const sums = {
    numModelEvents: 0,
    numErrors: 0,
    hasFeedback: false,
    firstStart: Infinity,
    lastEnd: -Infinity,
  };
  // One pass: a session may have thousands of events.
  for (const event of events) {
    if (isModel(event)) sums.numModelEvents++;
    if (event.failed === 1) sums.numErrors++;
    if (event.is_rated === 1) sums.hasFeedback = true;
    if (event.start_time < sums.firstStart) sums.firstStart = event.start_time;
    if (event.ended !== null && event.ended > sums.lastEnd) sums.lastEnd = event.ended;
  }
  const lastEnd = sums.lastEnd === -Infinity ? undefined : sums.lastEnd;
  return {
    ...{ ...sums, numEvents: events.length, lastEnd },
    ...countUsage(parentsOf(events), reportsOf(events)),
  };
}

function isModel({ event_type: type }: EventFacts): boolean {
  return type === 'model';
}

/** Numbers of the parents. What names no event of the session is another number, and 0 is the session. */
function parentsOf(events: readonly EventFacts[]): Map<number, number> {
  const numbers = new Map(events.map(({ key_event: event, id }) => [event, id]));
  const parentOf = ({ parent_id: parent, key_session: session }: EventFacts) =>
    parent === null || parent === '' || parent === session ? 0 : (numbers.get(parent) ?? -1);
  return new Map(events.map((event) => [event.id, parentOf(event)]));
}

function reportsOf(events: readonly EventFacts[]): UsageReport[] {
  const texts = new TextNumbers();
  return events.flatMap((event) => reportOf(event, texts) ?? []);
}

/** Undefined for an event that reports no amount. */
function reportOf(event: EventFacts, numbers: TextNumbers): UsageReport | undefined {
  const { id, amounts, texts } = event;
  const isSum = !isModel(event);
  const paths = isSum ? SUM_PATHS : CALL_PATHS;
  const amount = (name: (typeof AMOUNTS)[number]) => amounts[paths[name]] ?? 0;
  const [cost, totalTokens] = [amount('cost'), amount('total_tokens')];
  const [promptTokens, completionTokens] = [amount('prompt_tokens'), amount('completion_tokens')];
  if (Math.max(cost, promptTokens, completionTokens, totalTokens) <= 0) return undefined;
  const model = plainModelName(texts['config.model'] ?? '');
  const isUnpriced = amounts[paths.cost] === undefined && promptTokens + completionTokens + totalTokens > 0;
  const isKnown = model !== '' && promptTokens + completionTokens > 0;
  return {
    id,
    isSum,
    trace: numbers.of(texts['metadata.trace_id']),
    response: numbers.of(texts['metadata.response_id']),
    counts: isKnown
      ? numbers.of(JSON.stringify([comparedModelName(model), promptTokens, completionTokens]))
      : 0,
    ...{ cost, promptTokens, completionTokens, totalTokens },
    isCostEstimated: texts['metadata.cost_source'] === 'estimated',
    unpricedModel: isUnpriced ? unpricedName(model) : '',
  };
}

/** A number for each text; 0 for none. */
class TextNumbers {
  readonly #numbers = new Map<string, number>();

  of(text = ''): number {
    if (text === '') return 0;
    const number = this.#numbers.get(text) ?? this.#numbers.size + 1;
    this.#numbers.set(text, number);
    return number;
  }
}
