import type { SlotBucket, Target } from '../conventions/rule.js';

/** Key of a bucket that a convention maps to. */
export interface Slot {
  readonly index: number;
  readonly bucket: SlotBucket;
  readonly key: string;
  /** Ids and names: a lower-ranked value is a different fact and is stored in the metadata. */
  readonly identity: boolean;
  /** The value is a list of messages. */
  readonly isMessages: boolean;
}

const IDENTITY = new Set<string>([
  'fact.session',
  'fact.session_name',
  'fact.event_name',
  'config.model',
  'user_properties.user_id',
  'metadata.response_id',
  'metadata.tool_name',
  'metadata.tool_call_id',
  'metadata.agent_id',
  'metadata.agent_name',
  'metadata.workflow_name',
] satisfies Target[]);

const MESSAGES = new Set<string>([
  'fact.history',
  'fact.output_messages',
  'fact.agent_answer',
] satisfies Target[]);

/** All slots, numbered in table order, so that the values of a span fit in one array. */
class SlotRegistry {
  private readonly byTarget = new Map<string, Slot>();
  readonly all: Slot[] = [];

  slot(target: string): Slot {
    return this.byTarget.get(target) ?? this.add(target);
  }

  private add(target: string): Slot {
    const dot = target.indexOf('.');
    const bucket = target.slice(0, dot) as SlotBucket;
    const slot = {
      index: this.all.length,
      bucket,
      key: target.slice(dot + 1),
      identity: IDENTITY.has(target),
      isMessages: MESSAGES.has(target),
    };
    this.all.push(slot);
    this.byTarget.set(target, slot);
    return slot;
  }
}

export const SLOTS = new SlotRegistry();

/** Slot of a target that the mapping code reads or writes. */
export function slotOf(target: Exclude<Target, 'event'>): Slot {
  return SLOTS.slot(target);
}
