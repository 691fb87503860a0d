import { spanEventId } from '@assay/domain';

/** A span that sets its own event id: its children refer to their parent by the derived id. */
export interface EventAlias {
  readonly traceId: string;
  readonly spanId: string;
  readonly eventId: string;
}

/**
 * Event ids of the spans of one trace by their key (see `group-spans`), cached because children need the id of their
 * parent. The key of a parent is its span id.
 */
export class EventIds {
  private readonly known = new Map<string, string>();

  constructor(
    private readonly projectId: string,
    private readonly traceId: string,
  ) {}

  /** Registers the event id that a span sets. Must be called before any id is read. */
  override(key: string, spanId: string, eventId: string): EventAlias {
    this.known.set(key, eventId);
    return { traceId: this.traceId, spanId, eventId };
  }

  of(key: string, spanId: string): string {
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const id = spanEventId(this.projectId, this.traceId, spanId);
    this.known.set(key, id);
    return id;
  }
}
