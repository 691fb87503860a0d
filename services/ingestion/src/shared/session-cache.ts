import type { Event } from '@assay/domain';
import { LRUCache } from 'lru-cache';

/**
 * LRU cache of sessions that this process has recently appended, so that not every request appends its
 * session again. An evicted session costs one redundant record.
 */
export class SessionCache {
  private readonly fingerprints: LRUCache<string, string>;

  constructor(maxSessions: number) {
    this.fingerprints = new LRUCache({ max: maxSessions });
  }

  /** Returns whether the log already holds this session, or one with at least the same content. */
  covers(session: Event): boolean {
    const known = this.fingerprints.get(keyOf(session));
    return known === SENT || known === fingerprintOf(session);
  }

  /** Call once the session's record is durable. */
  add(session: Event): void {
    this.fingerprints.set(keyOf(session), fingerprintOf(session));
  }
}

/** A session that a client sent covers every synthesised one. */
const SENT = 'sent';

function keyOf(session: Event): string {
  return `${session.project_id}/${session.event_id}`;
}

/** The content of a synthesised session, without its times, which are derived from its events on read. */
function fingerprintOf(session: Event): string {
  if (session.origin === 'sent') return SENT;
  return JSON.stringify([session.event_name, session.source, session.user_properties]);
}
