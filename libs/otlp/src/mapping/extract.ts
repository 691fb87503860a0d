import { setOwn, type JsonObject, type JsonValue } from '@assay/domain';
import { attributeValue } from '../codec/protobuf/raw-messages.js';
import { unflatten } from '../json/unflatten.js';
import type { Attributes } from '../messages.js';
import type { Source, UnmappedAttribute } from './source.js';
import type { SpanBuilder } from './span-builder.js';
import { ALWAYS, RULES, type CompiledRule, type KeyEntry } from './rule-index.js';

/** Attributes of one family, collected until all attributes were read. */
interface Family {
  readonly rule: CompiledRule;
  readonly members: Member[];
}

interface Member {
  readonly source: UnmappedAttribute;
  readonly value: JsonValue;
  readonly segments: readonly string[] | undefined;
}

/** Bit set of the conventions detected from keys and span name, including those that always apply. */
function detect(entries: readonly (KeyEntry | undefined)[], spanName: string): number {
  let detected = ALWAYS | RULES.detectorsOfName(spanName);
  for (const entry of entries) if (entry !== undefined) detected |= entry.detectors;
  return detected;
}

/**
 * Maps attributes into a span builder by the rules of the detected conventions.
 * @param orderOffset added to every order, so that attributes of span events rank below those of the span
 * @returns the unmapped attributes
 */
export function extract(
  builder: SpanBuilder,
  attributes: Attributes,
  spanName = '',
  orderOffset = 0,
): UnmappedAttribute[] {
  const entries: (KeyEntry | undefined)[] = [];
  for (const key of attributes.keys()) entries.push(RULES.find(key));
  const extraction = new Extraction(builder, detect(entries, spanName), orderOffset);
  let at = 0;
  for (const [key, value] of attributes) extraction.read(entries[at++], key, value);
  return extraction.finish();
}

class Extraction {
  private readonly unmapped: UnmappedAttribute[] = [];
  private families: Family[] | undefined;

  constructor(
    private readonly builder: SpanBuilder,
    private readonly detected: number,
    private readonly orderOffset: number,
  ) {}

  read(entry: KeyEntry | undefined, key: string, value: JsonValue): void {
    if (entry === undefined || !this.readByRules(entry, key, value))
      this.unmapped.push([key, attributeValue(value)]);
  }

  finish(): UnmappedAttribute[] {
    for (const family of this.families ?? []) this.readFamily(family);
    return this.unmapped;
  }

  /** Whether the attribute was consumed. */
  private readByRules(entry: KeyEntry, key: string, value: JsonValue): boolean {
    let used = false;
    for (const rule of entry.rules) {
      if ((rule.convention & this.detected) === 0) continue;
      const accepted =
        rule.group === 'single'
          ? this.assign(rule, value, [key, value])
          : this.collect(rule, entry, key, value);
      used = (accepted && !rule.keep) || used;
    }
    return used;
  }

  private assign(rule: CompiledRule, value: JsonValue, source: Source): boolean {
    let accepted = false;
    for (const destination of rule.destinations)
      accepted = this.builder.assign(destination, value, source, this.orderOffset) || accepted;
    if (accepted && rule.partial && !this.builder.isCut(source)) this.builder.contest(source);
    return accepted;
  }

  private collect(rule: CompiledRule, entry: KeyEntry, key: string, value: JsonValue): boolean {
    const families = (this.families ??= []);
    let family = families.find((known) => known.rule === rule);
    if (family === undefined) families.push((family = { rule, members: [] }));
    const text = attributeValue(value);
    family.members.push({
      source: [key, text],
      value: text,
      segments: segmentsOf(rule, entry),
    });
    return true;
  }

  /** Unmapped families, and members with an invalid path, remain flat. */
  private readFamily({ rule, members }: Family): void {
    const usable = members.filter(hasSegments);
    if (usable.length < members.length)
      for (const member of members) if (!hasSegments(member)) this.unmapped.push(member.source);
    const rebuilt = rule.group === 'flat' ? flatObject(usable) : unflatten(usable);
    if (usable.length === 0 || this.assign(rule, rebuilt, { members: usable })) return;
    for (const { source } of usable) this.unmapped.push(source);
  }
}

function segmentsOf({ group }: CompiledRule, entry: KeyEntry): readonly string[] | undefined {
  if (group === 'flat') return [entry.path];
  return group === 'list' ? entry.listSegments : entry.segments;
}

function hasSegments(member: Member): member is Member & { readonly segments: readonly string[] } {
  return member.segments !== undefined;
}

function flatObject(
  members: readonly { readonly segments: readonly string[]; readonly value: JsonValue }[],
): JsonObject {
  const object: JsonObject = {};
  for (const { segments, value } of members) setOwn(object, segments[0] ?? '', value);
  return object;
}
