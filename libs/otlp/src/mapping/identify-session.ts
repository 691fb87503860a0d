import { canonicalUuid, isUuid, sessionIdOf } from '@assay/domain';

export interface SessionRef {
  readonly id: string;
  /** The text that the id was derived from; undefined when the sender gave a UUID. */
  readonly key: string | undefined;
}

/** The session that a text names: a UUID is the session's id, anything else gives the same id every time. */
export function sessionRef(projectId: string, text: string): SessionRef {
  return isUuid(text)
    ? { id: canonicalUuid(text), key: undefined }
    : { id: sessionIdOf(projectId, text), key: text };
}

/** Session references of one request: the same few texts come on every span. */
export class SessionRefs {
  private readonly known = new Map<string, SessionRef>();

  constructor(private readonly projectId: string) {}

  of(text: string): SessionRef {
    const ref = this.known.get(text) ?? sessionRef(this.projectId, text);
    this.known.set(text, ref);
    return ref;
  }
}
