import { spanEventId } from '@assay/domain';

/** A span whose event has another id than the one derived from its ids: its children find their parent under the derived id. */
export interface EventAlias {
  readonly traceId: string;
  readonly spanId: string;
  readonly eventId: string;
}

/** The event ids of the spans of one trace. Every id is computed once: children ask for it again. */
export class EventIds {
  private readonly known = new Map<string, string>();

  constructor(
    private readonly projectId: string,
    private readonly traceId: string,
  ) {}

  /** Notes the id that a span brings along, before any id is asked for. */
  override(spanId: string, eventId: string): EventAlias {
    this.known.set(spanId, eventId);
    return { traceId: this.traceId, spanId, eventId };
  }

  of(spanId: string): string {
    const known = this.known.get(spanId);
    if (known !== undefined) return known;
    const id = spanEventId(this.projectId, this.traceId, spanId);
    this.known.set(spanId, id);
    return id;
  }
}
