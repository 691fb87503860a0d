import { validationError } from '@assay/errors';
import { EVENT_SHAPE, namesWhere, type EventShape, type FieldsWith } from '../event-shape.js';

/**
 * Fields of an event that may hold text that people wrote; only these can be redacted. Ids, types, times and
 * versions always leave the data plane.
 */
export const REDACTABLE_FIELDS = redactableFieldsOf(EVENT_SHAPE);
export type RedactableField = FieldsWith<{ readonly redactable: true }>;

function redactableFieldsOf(shape: EventShape): readonly RedactableField[] {
  return namesWhere(shape.fields, ({ redactable }) => redactable) as RedactableField[];
}

/** Settings of the operator. */
export interface RedactionSettings {
  /**
   * Whether every value of inputs and outputs is emptied, and the texts that may quote one: {@link
   * QUOTING_FIELDS}.
   */
  readonly redactValues: boolean;
  /**
   * Further fields to empty, such as `metadata.user` or `metadata.http.*`. A leading `!` keeps a field
   * unchanged. The most specific rule takes precedence; between equal rules, the one that empties the field
   * does.
   */
  readonly redactFields?: readonly string[];
  /**
   * Further fields that may quote a value, emptied if `redactValues` is set, in the format of `redactFields`.
   */
  readonly quotingFields?: readonly string[];
}

interface Rule {
  readonly redacts: boolean;
  /** Set by the operator: takes precedence over an equally specific built-in rule. */
  readonly set: boolean;
  /** A longer path is more specific. */
  readonly exactness: number;
  readonly matches: (path: string) => boolean;
}

/** Rules of one field, the most specific first. */
export class FieldRules {
  /** Bounded cache of decisions: the same paths recur in every event. */
  private readonly decided = new Map<string, boolean>();

  constructor(private readonly rules: readonly Rule[]) {}

  with(rule: Rule): FieldRules {
    return new FieldRules([...this.rules, rule].sort(moreExactFirst));
  }

  /**
   * Returns whether the value at this dotted path is emptied. Keys of array items follow the path of the
   * array.
   */
  redacts(path: string): boolean {
    const known = this.decided.get(path);
    if (known !== undefined) return known;
    const decision = this.rules.find((rule) => rule.matches(path))?.redacts ?? false;
    if (path.length <= MAX_REMEMBERED.length && this.decided.size < MAX_REMEMBERED.paths)
      this.decided.set(path, decision);
    return decision;
  }

  /** Returns whether the whole field is emptied: one rule without exceptions. */
  redactsAll(field: string): boolean {
    return this.rules.length === 1 && this.redacts(field);
  }
}

const MAX_REMEMBERED = { paths: 10_000, length: 200 };

/** Checked settings. */
export interface Redaction {
  readonly rules: ReadonlyMap<RedactableField, FieldRules>;
}

/**
 * Texts outside inputs and outputs that may quote their values: explanations of scores, and error messages.
 */
export const QUOTING_FIELDS: readonly string[] = [
  'error',
  'metrics.*_explanation',
  'metadata.error_stack',
  'metadata.error.message',
  'metadata.exception.*',
  'metadata.evaluations',
  'metadata.otel.events',
  'metadata.otel.status.message',
];
const VALUES: readonly string[] = ['inputs', 'outputs'];

/** Redacts nothing. */
export const NO_REDACTION: Redaction = { rules: new Map() };

/**
 * @throws AppError `VALIDATION_ERROR` naming the entry of `REDACT_FIELDS` that is not a field, or that would
 * expose a value of inputs or outputs
 */
export function acceptRedaction(
  { redactValues, redactFields = [], quotingFields = [] }: RedactionSettings,
  shape: EventShape = EVENT_SHAPE,
): Redaction {
  const redactable = redactableFieldsOf(shape);
  const rules = new Map<RedactableField, FieldRules>();
  const add = (text: string, where: string, set: boolean) => {
    const { field, ...rule } = readRule(text, where, redactable);
    if (redactValues && !rule.redacts && VALUES.includes(field))
      throw validationError(`${where} must not leave values of ${field}`);
    rules.set(field, (rules.get(field) ?? new FieldRules([])).with({ ...rule, set }));
  };
  if (redactValues)
    for (const text of [...VALUES, ...QUOTING_FIELDS, ...quotingFields])
      add(text, `quoting field ${text}`, false);
  redactFields.forEach((text, index) => add(text, `entry ${index + 1} of REDACT_FIELDS`, true));
  return { rules };
}

function readRule(
  text: string,
  where: string,
  redactable: readonly RedactableField[],
): Omit<Rule, 'set'> & { readonly field: RedactableField } {
  const redacts = !text.startsWith('!');
  const path = redacts ? text : text.slice(1);
  const [first = '', ...keys] = path.split('.');
  const field = redactable.find((name) => name === first);
  if (!field) throw validationError(`${where} must begin with one of ${redactable.join(', ')}`);
  if (keys.some((key) => key === '')) throw validationError(`${where} must not have an empty key`);
  const matches = matcher(path);
  if (!matches)
    throw validationError(`${where} may have one * at the end, or at the beginning of the last key`);
  return { field, redacts, matches, exactness: path.replace('*', '').length };
}

/** A path also matches everything below it. A key with dots matches like the nested keys of the same text. */
function matcher(path: string): Rule['matches'] | undefined {
  const [start = '', end, ...more] = path.split('*');
  if (end === undefined) return (actual) => actual === path || actual.startsWith(`${path}.`);
  if (more.length > 0 || end.includes('.')) return undefined;
  if (end === '') return (actual) => actual.startsWith(start);
  if (!start.endsWith('.')) return undefined;
  return (actual) =>
    actual.startsWith(start) && (actual.endsWith(end) || actual.includes(`${end}.`, start.length));
}

function moreExactFirst(left: Rule, right: Rule): number {
  return (
    right.exactness - left.exactness ||
    Number(right.set) - Number(left.set) ||
    Number(right.redacts) - Number(left.redacts)
  );
}
