import { spanEventId } from '@assay/domain';

/** A span that sets its own event id: its children refer to their parent by the derived id. */
export interface EventAlias {
  readonly traceId: string;
  readonly spanId: string;
  readonly eventId: string;
}

/** Event ids of the spans of one trace, cached because children need the id of their parent. */
export class EventIds {
  private readonly known = new Map<string, string>();

  constructor(
    private readonly projectId: string,
    private readonly traceId: string,
  ) {}

  /** Registers the event id that a span sets. Must be called before any id is read. */
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
