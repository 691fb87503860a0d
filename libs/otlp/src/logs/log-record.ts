import type { JsonValue } from '@assay/domain';
import { EXCEPTION_EVENT, namesException } from '../conventions/exception-event.js';
import type { Attributes, Instant, Rejected, Resource, Scope } from '../messages.js';

/** Decoded log record that belongs to a span. Ids are lower-case hex. */
export interface LogRecord {
  readonly traceId: string;
  readonly spanId: string;
  readonly eventName: string;
  readonly time: Instant | undefined;
  /** 1 (trace) to 24 (fatal); 0 is none. */
  readonly severityNumber: number;
  readonly severityText: string;
  readonly body: JsonValue;
  readonly attributes: Attributes;
  readonly droppedAttributesCount: number;
  readonly resource: Resource;
  readonly scope: Scope;
}

/** Decoded `ExportLogsServiceRequest`: the records that can be stored, in wire order, and the number of the others. */
export interface DecodedLogs {
  readonly records: readonly LogRecord[];
  readonly rejected: Rejected;
  /** Whether an event may be larger than 10 MB, so that they have to be measured; absent: no. */
  readonly isLarge?: boolean;
}

/** Fields of a log record of any kind, before it is known whether it can be stored. */
export interface RawRecord {
  traceId: string;
  spanId: string;
  eventName: string;
  time: Instant | undefined;
  observed: Instant | undefined;
  severityNumber: number;
  severityText: string;
  body: JsonValue;
  attributes: Attributes;
  droppedAttributesCount: number;
}

const KEPT = 'only gen_ai.* and exception log events with a trace id and a span id are stored';

/** Collects the records of GenAI events and of exceptions that name their span; all others are counted. */
export class LogCollector {
  private readonly records: LogRecord[] = [];
  private others = 0;

  add(raw: RawRecord, resource: Resource, scope: Scope): void {
    const { traceId, spanId, observed, ...content } = raw;
    const eventName = nameOf(raw);
    const isStored =
      eventName.startsWith('gen_ai.') || eventName === EXCEPTION_EVENT || namesException(raw.attributes);
    const isKept = isStored && isId(traceId, 32) && isId(spanId, 16);
    if (!isKept) return this.reject();
    const time = raw.time ?? observed;
    this.records.push({ ...content, traceId, spanId, eventName, time, resource, scope });
  }

  reject(records = 1): void {
    this.others += records;
  }

  result(): DecodedLogs {
    return {
      records: this.records,
      rejected: { count: this.others, message: this.others === 0 ? '' : KEPT },
    };
  }
}

/** Name of the event: a field of its own, or in older versions an attribute. A logger that was given an exception names none. */
function nameOf({ eventName, attributes }: RawRecord): string {
  if (eventName !== '') return eventName;
  const name = attributes.get('event.name');
  if (typeof name === 'string' && name !== '') return name;
  return namesException(attributes) ? EXCEPTION_EVENT : '';
}

function isId(hex: string, length: number): boolean {
  return hex.length === length && /^[0-9a-f]+$/.test(hex) && !/^0+$/.test(hex);
}
