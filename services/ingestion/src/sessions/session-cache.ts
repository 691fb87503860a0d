import type { Event } from '@assay/domain';
import { LRUCache } from 'lru-cache';

/**
 * Sessions that this process has put on the log lately, so that not every request of a session carries it again. Bounded; forgetting one
 * costs a record that changes nothing.
 */
export class SessionCache {
  private readonly fingerprints: LRUCache<string, string>;

  constructor(maxSessions: number) {
    this.fingerprints = new LRUCache({ max: maxSessions });
  }

  /** Whether the log already holds this session, or one that says at least as much. */
  covers(session: Event): boolean {
    const known = this.fingerprints.get(keyOf(session));
    return known === SENT || known === fingerprintOf(session);
  }

  /** Call once the session's record is durable. */
  add(session: Event): void {
    this.fingerprints.set(keyOf(session), fingerprintOf(session));
  }
}

/** A session that a client sent leaves nothing for a synthesised one to say. */
const SENT = 'sent';

function keyOf(session: Event): string {
  return `${session.project_id}/${session.event_id}`;
}

/** What a synthesised session says beside its times, which are summed up from its events when they are read. */
function fingerprintOf(session: Event): string {
  if (session.origin === 'sent') return SENT;
  return JSON.stringify([session.event_name, session.source, session.user_properties]);
}
