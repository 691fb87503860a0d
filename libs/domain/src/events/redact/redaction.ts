import { validationError } from '@assay/errors';
import { EVENT_SHAPE, namesWhere, type EventShape, type FieldsWith } from '../event-shape.js';

/**
 * The fields of an event that may hold what people wrote; only these can be redacted. Ids, types, times and
 * versions always leave.
 */
export const REDACTABLE_FIELDS = redactableFieldsOf(EVENT_SHAPE);
export type RedactableField = FieldsWith<{ readonly redactable: true }>;

function redactableFieldsOf(shape: EventShape): readonly RedactableField[] {
  return namesWhere(shape.fields, ({ redactable }) => redactable) as RedactableField[];
}

/** What an operator sets. */
export interface RedactionSettings {
  /**
   * Whether every value of inputs and outputs is emptied, and with them the texts that may quote one: {@link
   * QUOTING_FIELDS}.
   */
  readonly redactValues: boolean;
  /**
   * Further fields to empty, such as `metadata.user` or `metadata.http.*`; with `!` in front, fields to leave
   * as they are. The rule that says more about a field wins, and of two that say the same the one that
   * empties it.
   */
  readonly redactFields?: readonly string[];
  /**
   * Further fields that may quote a value, emptied when `redactValues` is set, in the form of `redactFields`.
   */
  readonly quotingFields?: readonly string[];
}

interface Rule {
  readonly redacts: boolean;
  /** Set by the operator rather than built in: it wins over a built-in one that says the same. */
  readonly set: boolean;
  /** Longer is more exact. */
  readonly exactness: number;
  readonly matches: (path: string) => boolean;
}

/** The rules about one field, the most exact first. */
export class FieldRules {
  /** Paths come again with every event, so what was decided is remembered, up to a bound. */
  private readonly decided = new Map<string, boolean>();

  constructor(private readonly rules: readonly Rule[]) {}

  with(rule: Rule): FieldRules {
    return new FieldRules([...this.rules, rule].sort(moreExactFirst));
  }

  /**
   * Whether the value at this dotted path is emptied. The keys of arrays' items follow the array's own path.
   */
  redacts(path: string): boolean {
    const known = this.decided.get(path);
    if (known !== undefined) return known;
    const decision = this.rules.find((rule) => rule.matches(path))?.redacts ?? false;
    if (path.length <= MAX_REMEMBERED.length && this.decided.size < MAX_REMEMBERED.paths)
      this.decided.set(path, decision);
    return decision;
  }

  /** Whether all of the field is emptied: to one rule alone nothing can make an exception. */
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
 * The texts beside inputs and outputs that may quote one of their values: why a score is what it is, and how
 * something failed.
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

/** Nothing is emptied. */
export const NO_REDACTION: Redaction = { rules: new Map() };

/**
 * @throws AppError `VALIDATION_ERROR` naming the entry of `REDACT_FIELDS` that is no field, or that would let
 * a value of inputs or outputs through
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

/**
 * A path matches what lies under it, too. A key that holds dots reads like the nested keys of the same text.
 */
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
