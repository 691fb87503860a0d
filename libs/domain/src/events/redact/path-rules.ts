import { validationError } from '@assay/errors';
import type { JsonValue } from '../../json.js';
import type { TextShape } from '../event-field.js';
import type { AllowList } from './allow-list.js';
import type { NameToken } from './name-token.js';
import { hasShape, isBoundedKey } from './text-shape.js';

/** A rule for the values at some paths. */
export interface PathRule {
  readonly redacts: boolean;
  /** Set by the operator: takes precedence over an equally specific built-in rule. */
  readonly set: boolean;
  /** A longer path is more specific. */
  readonly exactness: number;
  /** Takes a path in lower case. */
  readonly matches: (path: string) => boolean;
}

/** Returns what leaves the data plane of a text, number, boolean or null. */
type LeafTreatment = (value: JsonValue) => JsonValue;

/** Bounds of the cached nodes of one field. */
const MAX_REMEMBERED = { nodes: 10_000, pathLength: 200 };
/** Bounds the work for one value: a path is examined at every level. */
const MAX_PATH_LENGTH = 65_536;

/** What holds for a whole field. */
interface FieldPolicy {
  /** The most specific first. */
  readonly rules: readonly PathRule[];
  /** Decides where no rule matches. Absent: the values leave unchanged, and keys too. */
  readonly allowList?: AllowList;
  remembered: number;
}

/** The rules at one path of an event, with those of the paths below it. */
export class PathRules {
  private readonly children = new Map<string, PathRules>();
  /** What leaves of a value at this path. Items of arrays have the path of their array. */
  readonly leaf: LeafTreatment;

  private constructor(
    private readonly path: string,
    private readonly policy: FieldPolicy,
  ) {
    this.leaf = treatmentAt(path, policy);
  }

  /** Returns the rules of a field. Without an allow list, what no rule matches leaves unchanged. */
  static ofField(field: string, rules: readonly PathRule[], allowList?: AllowList): PathRules {
    return new PathRules(field, { rules: [...rules].sort(moreExactFirst), allowList, remembered: 0 });
  }

  /**
   * Returns the rules at a key of an object at this path.
   * @throws AppError `VALIDATION_ERROR` for a path of more than 65,536 characters
   */
  at(key: string): PathRules {
    const known = this.children.get(key);
    if (known) return known;
    const path = `${this.path}.${key}`;
    if (path.length > MAX_PATH_LENGTH)
      throw validationError(`the keys of a value have more than ${MAX_PATH_LENGTH} characters`);
    const child = new PathRules(path, this.policy);
    if (path.length <= MAX_REMEMBERED.pathLength && this.policy.remembered < MAX_REMEMBERED.nodes) {
      this.policy.remembered++;
      this.children.set(key, child);
    }
    return child;
  }

  /** Returns the key as it leaves. A key that is too long or no single line is replaced by its position. */
  keyOf(key: string, position: number): string {
    return !this.policy.allowList || isBoundedKey(key) ? key : `${REPLACEMENT_KEY}${position}`;
  }

  /** Whether every value of the field is emptied: one rule without exceptions. */
  get emptiesAll(): boolean {
    return this.policy.rules.length === 1 && this.leaf === emptiedLeaf;
  }
}

const REPLACEMENT_KEY = 'redacted_key_';

/** Returns whether redaction may put the key in the place of another one. */
export function isReplacementKey(key: string): boolean {
  return key.startsWith(REPLACEMENT_KEY);
}

function treatmentAt(path: string, { rules, allowList }: FieldPolicy): LeafTreatment {
  const lower = path.toLowerCase();
  const rule = rules.find(({ matches }) => matches(lower));
  if (rule) return rule.redacts ? emptiedLeaf : unchanged;
  if (!allowList) return unchanged;
  const shape = allowList.at(path);
  if (shape === 'copy') return emptiedLeaf;
  const { nameToken, onlyKnownNumbers = false } = allowList.forms;
  const tokenOf = nameToken && allowList.isEventName(path) ? nameToken : undefined;
  if (!onlyKnownNumbers) return shape === undefined ? withoutText : ofShape(shape, tokenOf);
  return shape === undefined ? withoutTextAndNumber : withNumberOf(shape, ofShape(shape, tokenOf));
}

function ofShape(shape: TextShape, tokenOf: NameToken = (text) => text): LeafTreatment {
  return (value) => (typeof value !== 'string' ? value : hasShape(value, shape) ? tokenOf(value) : '');
}

/** A number leaves where text of its digits does. */
function withNumberOf(shape: TextShape, text: LeafTreatment): LeafTreatment {
  return (value) => (isNumber(value) && !hasShape(String(value), shape) ? 0 : text(value));
}

function isNumber(value: JsonValue): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

function unchanged(value: JsonValue): JsonValue {
  return value;
}

function withoutText(value: JsonValue): JsonValue {
  return typeof value === 'string' ? '' : value;
}

function withoutTextAndNumber(value: JsonValue): JsonValue {
  return typeof value === 'boolean' ? value : emptiedLeaf(value);
}

/** Returns the empty value of the type of a text, number or boolean; null stays. */
export function emptiedLeaf(value: JsonValue): JsonValue {
  if (typeof value === 'string') return '';
  if (isNumber(value)) return 0;
  return typeof value === 'boolean' ? false : value;
}

function moreExactFirst(left: PathRule, right: PathRule): number {
  return (
    right.exactness - left.exactness ||
    Number(right.set) - Number(left.set) ||
    Number(right.redacts) - Number(left.redacts)
  );
}
