import type { JsonValue } from '@assay/domain';
import type { Resource } from '../messages.js';
import { SpanBuilder } from './span-builder.js';
import { extract } from './extract.js';
import { slotOf, type Slot } from './slots.js';

/** Slots that a resource provides for spans without their own value. */
const SHARED_SLOTS: readonly Slot[] = [
  slotOf('fact.session'),
  slotOf('fact.session_name'),
  slotOf('fact.session_auto_create'),
  slotOf('fact.source'),
  slotOf('user_properties.user_id'),
];

/** Order below every value of the span. */
const RESOURCE_ORDER = 200_000;

/** Cache of resource values of a request. */
export class ResourceFacts {
  private readonly known = new Map<Resource, readonly [Slot, JsonValue][]>();
  private readonly builder = new SpanBuilder();

  /** Assigns the resource values to the span builder. */
  apply(resource: Resource, builder: SpanBuilder): void {
    for (const [slot, value] of this.of(resource))
      if (!builder.has(slot)) builder.assignSlot(slot, RESOURCE_ORDER, value, undefined);
  }

  private of(resource: Resource): readonly [Slot, JsonValue][] {
    const facts = this.known.get(resource) ?? this.read(resource);
    this.known.set(resource, facts);
    return facts;
  }

  private read(resource: Resource): [Slot, JsonValue][] {
    this.builder.reset();
    extract(this.builder, resource.attributes);
    return SHARED_SLOTS.flatMap((slot): [Slot, JsonValue][] => {
      const value = this.builder.value(slot);
      return value === undefined ? [] : [[slot, value]];
    });
  }
}
