import { CONVENTIONS } from '../conventions/catalogue.js';
import type { AttributeRule, Convention, Destination, Reader, SlotBucket } from '../conventions/rule.js';
import { asParsed, asText } from '../conventions/readers.js';
import { pathSegments } from '../json/unflatten.js';
import { SLOTS, type Slot } from './slots.js';

export interface CompiledDestination {
  readonly order: number;
  readonly read: Reader | undefined;
  /** Key to assign; undefined when the rule spreads an object or has several targets. */
  readonly slot: Slot | undefined;
  /** Bucket into which an object is spread. */
  readonly spread: SlotBucket | undefined;
  /** First destination of its rule: where an outranked id or name is a fact of its own. */
  readonly primary: boolean;
  /** The first destination of the rule stores the whole value, so this one may be outranked without loss. */
  readonly repeats: boolean;
  /** Whether what is complete is read of a text that was cut, which the reader does not accept. */
  readonly cut: boolean;
}

export interface CompiledRule {
  /** Bit of its convention in a set of conventions. */
  readonly convention: number;
  readonly group: 'single' | 'tree' | 'list' | 'flat';
  readonly keep: boolean;
  readonly partial: boolean;
  readonly destinations: readonly CompiledDestination[];
}

/** Rules and detectors of an attribute key. */
export interface KeyEntry {
  readonly rules: readonly CompiledRule[];
  /** Conventions that the key identifies. */
  readonly detectors: number;
  /** Length of the family prefix; the rest of the key is the path within the family. */
  readonly prefixLength: number;
  readonly path: string;
  /** Path segments; undefined when the path is invalid. */
  readonly segments: readonly string[] | undefined;
  /** The segments when the first is an index, for families that are lists. */
  readonly listSegments: readonly string[] | undefined;
}

/** Capacity of the key cache, and maximum length of a cached key. */
const MAX_REMEMBERED = 10_000;
const MAX_REMEMBERED_LENGTH = 128;
const NOT_KNOWN: KeyEntry = {
  rules: [],
  detectors: 0,
  prefixLength: 0,
  path: '',
  segments: undefined,
  listSegments: undefined,
};
const ROWS_PER_CONVENTION = 1000;
/** Bit of all conventions that apply to every span. A set of conventions is one number, so that only few can have a bit of their own. */
export const ALWAYS = 1;
/** Maximum number of conventions that apply only where they are detected. */
export const MAX_DETECTED_CONVENTIONS = 30;
/** Maximum number of dots in a family prefix. */
const MAX_PREFIX_DOTS = 5;

/** Finds the rules of an attribute key: those of the key, else those of the longest matching family. */
export class RuleIndex {
  private readonly exact = new Map<string, KeyEntry>();
  private readonly families = new Map<string, KeyEntry>();
  private readonly names: [beginning: string, bit: number][] = [];
  private readonly found = new Map<string, KeyEntry>();

  constructor(conventions: readonly Convention[]) {
    const detected = conventions.filter(({ always }) => !always);
    if (detected.length > MAX_DETECTED_CONVENTIONS)
      throw new Error(`at most ${MAX_DETECTED_CONVENTIONS} conventions can be detected`);
    for (const convention of conventions)
      this.addConvention(convention, convention.always ? ALWAYS : 2 << detected.indexOf(convention));
  }

  find(key: string): KeyEntry | undefined {
    const known = this.found.get(key);
    if (known !== undefined) return known === NOT_KNOWN ? undefined : known;
    const entry = this.resolve(key);
    if (key.length <= MAX_REMEMBERED_LENGTH) this.remember(key, entry ?? NOT_KNOWN);
    return entry;
  }

  /** Look-up cache, because keys repeat on every span; cleared when full. */
  private remember(key: string, entry: KeyEntry): void {
    if (this.found.size >= MAX_REMEMBERED) this.found.clear();
    this.found.set(key, entry);
  }

  /** Rules of the key, else of its longest family with rules, and the detectors of all matching families. */
  private resolve(key: string): KeyEntry | undefined {
    const own = this.exact.get(key);
    let found = own;
    let detectors = own?.detectors ?? 0;
    let dot = key.indexOf('.');
    for (let dots = 0; dot !== -1 && dots < MAX_PREFIX_DOTS; dots++) {
      const family = this.families.get(key.slice(0, dot + 1));
      detectors |= family?.detectors ?? 0;
      if (own === undefined && family !== undefined && (found === undefined || family.rules.length > 0))
        found = family;
      dot = key.indexOf('.', dot + 1);
    }
    if (found === undefined && detectors === 0) return undefined;
    const entry = found ?? NOT_KNOWN;
    const path = entry.prefixLength === 0 ? '' : key.slice(entry.prefixLength);
    const segments = pathSegments(path);
    return { ...entry, detectors, path, segments, listSegments: itemSegments(segments) };
  }

  /** Conventions that the span name identifies. */
  detectorsOfName(name: string): number {
    let detectors = 0;
    for (const [beginning, bit] of this.names) if (name.startsWith(beginning)) detectors |= bit;
    return detectors;
  }

  private addConvention(convention: Convention, bit: number): void {
    for (const beginning of convention.spanNames ?? []) this.names.push([beginning, bit]);
    convention.rules.forEach((rule, row) =>
      this.addRule(rule, bit, convention.precedence * ROWS_PER_CONVENTION + row),
    );
    for (const sign of convention.detectors)
      this.update(sign, (entry) => ({ ...entry, detectors: entry.detectors | bit }));
  }

  private addRule(rule: AttributeRule, convention: number, order: number): void {
    const destinations = [rule, ...(rule.also ?? [])].map((destination, index) => ({
      ...compile(destination, order),
      primary: index === 0,
      repeats: index > 0 && storesWholeValue(rule),
      cut: index === 0 && rule.cut === true,
    }));
    const group = rule.key.endsWith('.*') ? (rule.group ?? 'tree') : 'single';
    const { keep = false, partial = false } = rule;
    const compiled: CompiledRule = { convention, group, keep, partial, destinations };
    this.update(rule.key, (entry) => ({ ...entry, rules: [...entry.rules, compiled] }));
  }

  private update(key: string, change: (entry: KeyEntry) => KeyEntry): void {
    const isFamily = key.endsWith('.*');
    const name = isFamily ? key.slice(0, -1) : key;
    const entries = isFamily ? this.families : this.exact;
    entries.set(
      name,
      change(entries.get(name) ?? { ...NOT_KNOWN, prefixLength: isFamily ? name.length : 0 }),
    );
  }
}

/** Readers that do not drop anything. */
const LOSSLESS = new Set<Reader | undefined>([undefined, asText, asParsed]);

function storesWholeValue({ to, read }: Destination): boolean {
  return to !== 'event' && !to.startsWith('fact.') && LOSSLESS.has(read);
}

/** The segments if the first is an index. */
function itemSegments(segments: string[] | undefined): string[] | undefined {
  return segments !== undefined && /^\d+$/.test(segments[0] ?? '') ? segments : undefined;
}

function compile(
  destination: Destination,
  defaultOrder: number,
): Omit<CompiledDestination, 'primary' | 'repeats' | 'cut'> {
  const { to, read } = destination;
  // Rules with the same explicit order are ranked by their position in the tables, independent of the order
  // of the attributes.
  const order = destination.order === undefined ? defaultOrder : destination.order + defaultOrder / 1_000_000;
  if (to === 'event') return { order, read, slot: undefined, spread: undefined };
  if (to.endsWith('.*')) return { order, read, slot: undefined, spread: to.slice(0, -2) as SlotBucket };
  return { order, read, slot: SLOTS.slot(to), spread: undefined };
}

export const RULES = new RuleIndex(CONVENTIONS);
