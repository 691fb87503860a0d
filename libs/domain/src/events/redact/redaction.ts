import { validationError } from '@assay/errors';
import type { FieldType } from '../event-field.js';
import {
  EVENT_SHAPE,
  namesWhere,
  type EventShape,
  type FieldName,
  type FieldsWith,
  type NamedField,
} from '../event-shape.js';
import { AllowList } from './allow-list.js';
import { makeNameToken } from './name-token.js';
import { PathRules, type PathRule } from './path-rules.js';

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
   * Whether every value of inputs and outputs is emptied, with the fields that may quote one ({@link
   * QUOTING_FIELDS}), and every other text that the allow list does not contain.
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
  /** Names added to the allow list; without effect unless `redactValues` is set. */
  readonly allowedNames?: readonly string[];
  /**
   * Key of the tokens that leave in place of the names of events and sessions and of sources. Absent: names leave. Needs
   * `redactValues`.
   */
  readonly namesKey?: string;
  /** Whether a number leaves only under a name of the allow list. Needs `redactValues`. */
  readonly redactNumbers?: boolean;
}

/** Fields of an event that hold a name. */
export const NAME_FIELDS = ['event_name', 'source'] as const satisfies readonly FieldName[];

/** Checked settings. */
export interface Redaction {
  /** Rules of the fields that leave changed. A field without rules leaves unchanged, or by its own shape. */
  readonly rules: ReadonlyMap<FieldName, PathRules>;
  /** Text that may leave; absent if values are not redacted. */
  readonly allowList?: AllowList;
}

/**
 * Texts outside inputs and outputs that may quote their values: explanations of scores, and error messages.
 */
export const QUOTING_FIELDS: readonly string[] = [
  'error',
  'metrics.*_explanation',
  'metadata.error_stack',
  'metadata.error.message',
  'metadata.exception.message',
  'metadata.exception.stacktrace',
  'metadata.evaluations',
  'metadata.log_content',
  'metadata.log_events',
  'metadata.otel.events',
  'metadata.otel.status.message',
];
const VALUES: readonly string[] = ['inputs', 'outputs'];
/** Types of fields that can hold any text. */
const OPEN_TYPES: ReadonlySet<FieldType> = new Set(['text', 'textOrNull', 'textList', 'object']);

/** Redacts nothing. */
export const NO_REDACTION: Redaction = { rules: new Map() };

/** Returns whether every event leaves unchanged. */
export function redactsNothing({ rules, allowList }: Redaction): boolean {
  return rules.size === 0 && allowList === undefined;
}

/**
 * @throws AppError `VALIDATION_ERROR` naming the entry of `REDACT_FIELDS` that is not a field, or that would
 * expose a value of inputs or outputs or a name that leaves as a token, or the entry of `REDACT_ALLOW` that is not a name;
 * for forms of names and numbers without `redactValues`
 */
export function acceptRedaction(settings: RedactionSettings, shape: EventShape = EVENT_SHAPE): Redaction {
  const { redactValues, redactFields = [], quotingFields = [], namesKey } = settings;
  if (!redactValues && (namesKey !== undefined || settings.redactNumbers === true))
    throw validationError('REDACT_NAMES and REDACT_NUMBERS need REDACT_VALUES=true');
  const redactable = redactableFieldsOf(shape);
  const rules = new Map<RedactableField, PathRule[]>();
  const add = (text: string, where: string, set: boolean) => {
    const { field, ...rule } = readRule(text, where, redactable);
    if (redactValues && !rule.redacts && VALUES.includes(field))
      throw validationError(`${where} must not leave values of ${field}`);
    if (namesKey !== undefined && !rule.redacts && NAME_FIELDS.some((name) => name === field))
      throw validationError(`${where} must not leave ${field} with REDACT_NAMES`);
    rules.set(field, [...(rules.get(field) ?? []), { ...rule, set }]);
  };
  if (redactValues)
    for (const text of [...VALUES, ...QUOTING_FIELDS, ...quotingFields])
      add(text, `quoting field ${text}`, false);
  redactFields.forEach((text, index) => add(text, `entry ${index + 1} of REDACT_FIELDS`, true));
  const allowList = redactValues ? allowListOf(settings) : undefined;
  return { rules: pathRules(rules, shape, allowList), allowList };
}

function allowListOf({ allowedNames = [], namesKey, redactNumbers }: RedactionSettings): AllowList {
  const nameToken = namesKey === undefined ? undefined : makeNameToken(namesKey);
  return new AllowList(allowedNames, { nameToken, onlyKnownNumbers: redactNumbers });
}

/** With an allow list, every field that may hold text has rules, unless its declaration bounds the text. */
function pathRules(
  rules: ReadonlyMap<FieldName, readonly PathRule[]>,
  { fields }: EventShape,
  allowList: AllowList | undefined,
): Map<FieldName, PathRules> {
  const isOpen = ({ type, leaves, choices, assigned }: NamedField) =>
    !leaves && !choices && !assigned && OPEN_TYPES.has(type);
  const entries = fields.flatMap((field): [FieldName, PathRules][] => {
    const own = rules.get(field.name);
    if (!own && !(allowList && isOpen(field))) return [];
    return [[field.name, PathRules.ofField(field.name, own ?? [], allowList)]];
  });
  return new Map(entries);
}

function readRule(
  text: string,
  where: string,
  redactable: readonly RedactableField[],
): Omit<PathRule, 'set'> & { readonly field: RedactableField } {
  const redacts = !text.startsWith('!');
  const path = redacts ? text : text.slice(1);
  const [first = '', ...keys] = path.split('.');
  const field = redactable.find((name) => name === first);
  if (!field) throw validationError(`${where} must begin with one of ${redactable.join(', ')}`);
  if (keys.some((key) => key === '')) throw validationError(`${where} must not have an empty key`);
  const matches = matcher(path.toLowerCase());
  if (!matches)
    throw validationError(`${where} may have one * at the end, or at the beginning of the last key`);
  return { field, redacts, matches, exactness: path.replace('*', '').length };
}

/** A path also matches everything below it. A key with dots matches like the nested keys of the same text. */
function matcher(path: string): PathRule['matches'] | undefined {
  const [start = '', end, ...more] = path.split('*');
  if (end === undefined) return (actual) => actual === path || actual.startsWith(`${path}.`);
  if (more.length > 0 || end.includes('.')) return undefined;
  if (end === '') return (actual) => actual.startsWith(start);
  if (!start.endsWith('.')) return undefined;
  return (actual) =>
    actual.startsWith(start) && (actual.endsWith(end) || actual.includes(`${end}.`, start.length));
}
