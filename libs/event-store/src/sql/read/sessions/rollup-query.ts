import { visible } from '../rows/visible.js';
import { ofSessions } from '../rows/of-sessions.js';
import { MAX_MODEL_NAME, MODEL_NAME_AFFIXES, UNKNOWN } from '@assay/domain';
import { Binder } from '../../engine/binder.js';
import { literal, type Query } from '../../engine/engine.js';
import { numberOf } from '../../filter/stored-value.js';
import type { TableNames } from '../../schema/topology.js';

/**
 * What one event reports, as an array: id, trace, whether a sum, response, counts, the amounts, whether the cost is an estimate, and
 * the model of tokens without a cost; see `UsageReport` of the domain.
 */
export type ReportRow = readonly [
  id: number,
  trace: number,
  isSum: number,
  response: number,
  counts: number,
  cost: number,
  promptTokens: number,
  completionTokens: number,
  totalTokens: number,
  isCostEstimated: number,
  unpricedModel: string,
];

/** A session as read; times are null when no event has them. */
export interface RollupRow {
  readonly session: string;
  readonly num_events: number;
  readonly num_model_events: number;
  readonly num_errors: number;
  readonly has_feedback: number;
  readonly first_start: number | null;
  readonly last_end: number | null;
  /** Events whose index is incomplete: what they report is known from their text alone. */
  readonly num_incomplete: number;
  /** Ids with their parents, 0 for those directly below the session; cut off at the limit. */
  readonly parents: readonly (readonly [id: number, parent: number])[];
  /** Cut off at the limit. */
  readonly reports: readonly ReportRow[];
  /** What the model events report, whatever repeats it: cost, and prompt, completion and total tokens. */
  readonly calls: readonly [number, number, number, number];
  /** Models of the model events that report tokens and no cost, at most {@link MAX_LISTED_MODELS} of them. */
  readonly unpriced_models: readonly string[];
}

export interface RollupScope {
  readonly projectId: string;
  readonly sessionIds: readonly string[];
  /** Events of one session that are listed individually. */
  readonly maxEvents: number;
  /**
   * `index`: from the indexed leaves; `text`: from the stored text where the leaves are incomplete, which has
   * to be read for that.
   */
  readonly from: 'index' | 'text';
}

/** Names that one group of a statement collects; of these, the first ones are shown. */
export const MAX_LISTED_MODELS = 100;

export const AMOUNTS = ['cost', 'prompt_tokens', 'completion_tokens', 'total_tokens'] as const;

/** One row for each of the sessions that has visible events, the sessions themselves left out. */
export function rollupQuery(tables: TableNames, scope: RollupScope): Query {
  const binder = new Binder();
  const calls = AMOUNTS.map((amount) => `sumIf(${amount}, is_model)`);
  const columns = [
    'toString(session_id) AS session',
    'count() AS num_events',
    'countIf(is_model) AS num_model_events',
    'countIf(failed) AS num_errors',
    'max(is_rated) AS has_feedback',
    'toNullable(min(start_time)) AS first_start',
    'max(ended) AS last_end',
    'countIf(NOT complete) AS num_incomplete',
    `groupArray(${scope.maxEvents})((id, parent)) AS parents`,
    `groupArrayIf(${scope.maxEvents})((id, trace, NOT is_model, response, counts, ${AMOUNTS.join(', ')}, is_estimated, unpriced), reports) AS reports`,
    `(${calls.join(', ')}) AS calls`,
    `${unpricedModels('is_model')} AS unpriced_models`,
  ];
  const sql = `SELECT ${columns.join(', ')} FROM (${factsQuery(tables, scope, binder)}) GROUP BY session_id`;
  return { sql, bindings: binder.bindings };
}

/**
 * One row for every event. The condition on the sort key stands before the versions of a row are distinguished
 * (`PREWHERE`), which is right because all of them have the same key; other columns are then read for the
 * rows of the sessions alone.
 */
function factsQuery(
  tables: TableNames,
  { projectId, sessionIds, from }: RollupScope,
  binder: Binder,
): string {
  const leaf = from === 'index' ? indexedLeaf : storedLeaf;
  const columns = [
    'session_id',
    'complete',
    `event_type = 'model' AS is_model`,
    'isNotNull(error) AS failed',
    `feedback != '{}' AS is_rated`,
    'start_time',
    `${numberOf('end_time')} AS ended`,
    `${numberFor('toString(event_id)')} AS id`,
    `if(has(['', toString(session_id)], ifNull(parent_id, '')), 0, ${numberFor(`ifNull(parent_id, '')`)}) AS parent`,
    ...AMOUNTS.map(
      (amount) =>
        `if(is_model, ${leaf.number([amount], binder)}, ${leaf.number(['aggregate_usage', amount], binder)}) AS ${amount}`,
    ),
    `greatest(${AMOUNTS.join(', ')}) > 0 AS reports`,
    `${numberOrZero(leaf.text('trace_id', binder))} AS trace`,
    `${numberOrZero(leaf.text('response_id', binder))} AS response`,
    `${leaf.text('cost_source', binder)} = 'estimated' AS is_estimated`,
    `${plainModel(`attrs[${binder.text('config.model')}]`)} AS model`,
    // The model and its counts tell a call from others only where both are known. The name is that of `comparedModelName`.
    `if(model != '' AND prompt_tokens + completion_tokens > 0, ${numberFor("replaceAll(model, '.', '-'), prompt_tokens, completion_tokens")}, 0) AS counts`,
    `if(is_model, ${leaf.isNumber(['cost'], binder)}, ${leaf.isNumber(['aggregate_usage', 'cost'], binder)}) AS is_priced`,
    `if(NOT is_priced AND prompt_tokens + completion_tokens + total_tokens > 0, ${listedModel('model')}, '') AS unpriced`,
  ];
  return `SELECT ${columns.join(', ')} FROM ${visible(tables.events)} PREWHERE ${ofSessions(tables, { projectId, sessionIds }, binder)} WHERE event_type != 'session'`;
}

/** The name of a model as `plainModelName` of the domain has it. */
function plainModel(model: string): string {
  const plain = MODEL_NAME_AFFIXES.reduce(
    (name, pattern) => `replaceRegexpOne(${name}, ${literal(pattern)}, '')`,
    `lower(${model})`,
  );
  return `if(lengthUTF8(${model}) > ${MAX_MODEL_NAME}, ${model}, ${plain})`;
}

/** The name of a model in lists, as `unpricedName` of the domain returns it. */
function listedModel(model: string): string {
  return `if(${model} = '', ${literal(UNKNOWN)}, substringUTF8(${model}, 1, ${MAX_MODEL_NAME}))`;
}

/** Fields of an event that reports tokens and no cost, by their keys; a model event reports its own. */
const TOKENS = ['prompt_tokens', 'completion_tokens', 'total_tokens'] as const;

/** The model of a model event that reports tokens and no cost, as it is sent; empty for every other event. */
export function unpricedModel(from: RollupScope['from'], binder: Binder): string {
  const leaf = from === 'index' ? indexedLeaf : storedLeaf;
  const tokens = TOKENS.map((name) => leaf.number([name], binder)).join(' + ');
  const isUnpriced = `event_type = 'model' AND ${tokens} > 0 AND NOT ${leaf.isNumber(['cost'], binder)}`;
  return `if(${isUnpriced}, ${listedModel(`attrs[${binder.text('config.model')}]`)}, '')`;
}

/** Models without a price of a group of rows with a column `unpriced`. */
export function unpricedModels(condition = '1'): string {
  return `groupUniqArrayIf(${MAX_LISTED_MODELS})(unpriced, unpriced != '' AND ${condition})`;
}

/** A number below 2^53 that stands for values: short, and read without loss. */
function numberFor(values: string): string {
  return `bitShiftRight(sipHash64(${values}), 11)`;
}

function numberOrZero(text: string): string {
  return `arrayMap(t -> if(t = '', 0, ${numberFor('t')}), [${text}])[1]`;
}

/**
 * Where a value of `metadata` is read: a finite number, 0 when there is none, or a text, empty when there is
 * none.
 */
interface LeafReader {
  number(keys: readonly string[], binder: Binder): string;
  /** Whether there is such a number. */
  isNumber(keys: readonly string[], binder: Binder): string;
  text(key: string, binder: Binder): string;
}

const indexedLeaf: LeafReader = {
  number: (keys, binder) => `nums[${binder.text(['metadata', ...keys].join('.'))}]`,
  isNumber: (keys, binder) => `mapContains(nums, ${binder.text(['metadata', ...keys].join('.'))})`,
  text: (key, binder) => `attrs[${binder.text(`metadata.${key}`)}]`,
};

function storedText(keys: readonly string[], binder: Binder): string {
  return `trimBoth(JSONExtractRaw(metadata, ${keys.map((key) => binder.text(key)).join(', ')}), '"')`;
}

const storedLeaf: LeafReader = {
  number(keys, binder) {
    const stored = `arrayMap(n -> if(isFinite(n), n, 0), [toFloat64OrZero(${storedText(keys, binder)})])[1]`;
    return `if(complete, ${indexedLeaf.number(keys, binder)}, ${stored})`;
  },
  isNumber(keys, binder) {
    const stored = `isFinite(ifNull(toFloat64OrNull(${storedText(keys, binder)}), nan))`;
    return `if(complete, ${indexedLeaf.isNumber(keys, binder)}, ${stored})`;
  },
  text: (key, binder) =>
    `if(complete, ${indexedLeaf.text(key, binder)}, JSONExtractString(metadata, ${binder.text(key)}))`,
};

/**
 * Columns of the amounts that a model event reports, 0 for other events, each under its own name; and `unpriced`: the model of
 * an event that reports tokens and no cost, as it is sent, empty for every other event.
 */
export function modelAmounts(from: RollupScope['from'], binder: Binder): string[] {
  const leaf = from === 'index' ? indexedLeaf : storedLeaf;
  const amounts = AMOUNTS.map(
    (amount) => `if(event_type = 'model', ${leaf.number([amount], binder)}, 0) AS ${amount}`,
  );
  const isUnpriced = `prompt_tokens + completion_tokens + total_tokens > 0 AND NOT ${leaf.isNumber(['cost'], binder)}`;
  // Plain names are made of the few that are read: four patterns for each row would cost more than the rest of the row.
  const model = `attrs[${binder.text('config.model')}]`;
  return [...amounts, `if(${isUnpriced}, ${listedModel(model)}, '') AS unpriced`];
}
