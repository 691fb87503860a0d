import { canonicalUuid, isUuid, sessionIdOf } from '@assay/domain';

export interface SessionRef {
  readonly id: string;
  /** Text from which the id was derived; undefined if the sender set a UUID. */
  readonly key: string | undefined;
}

/** Session reference of a text: a UUID is the session id, any other text determines a derived id. */
export function sessionRef(projectId: string, text: string): SessionRef {
  return isUuid(text)
    ? { id: canonicalUuid(text), key: undefined }
    : { id: sessionIdOf(projectId, text), key: text };
}

/** Cache of session references of one request: the same few texts repeat on every span. */
export class SessionRefs {
  private readonly known = new Map<string, SessionRef>();

  constructor(private readonly projectId: string) {}

  of(text: string): SessionRef {
    const ref = this.known.get(text) ?? sessionRef(this.projectId, text);
    this.known.set(text, ref);
    return ref;
  }
}
