import { hash } from 'node:crypto';

/** The namespace of names that are URLs (RFC 9562, appendix A). */
const NAMESPACE_URL = '6ba7b811-9dad-11d1-80b4-00c04fd430c8';

/** Reused buffer for the hash input: allocating two buffers per id would cost half as much as the hash. */
const SCRATCH = Buffer.alloc(1024);

/**
 * Returns the UUID of a name within a namespace, which is itself a UUID (RFC 9562, version 5). The same name
 * gives the same UUID.
 */
export function uuid5(namespace: string, name: string): string {
  return uuidOf(Buffer.from(namespace.replaceAll('-', ''), 'hex'), name);
}

/** The namespace of all ids that Assay derives. */
export const EVENT_NAMESPACE = uuid5(NAMESPACE_URL, 'otlp-events/v1');
const EVENT_NAMESPACE_BYTES = Buffer.from(EVENT_NAMESPACE.replaceAll('-', ''), 'hex');

/** Returns the session id of a session key that is not a UUID. */
export function sessionIdOf(projectId: string, text: string): string {
  return uuidOf(EVENT_NAMESPACE_BYTES, `${projectId}\nsession\n${text}`);
}

/** Returns the session id of a trace that names no session. `traceId` is lower-case hex. */
export function traceSessionId(projectId: string, traceId: string): string {
  return uuidOf(EVENT_NAMESPACE_BYTES, `${projectId}\ntrace\n${traceId}`);
}

/**
 * Returns the event id of a span. Both ids are lower-case hex. The project is part of the name, so one trace
 * sent to two projects gets different ids.
 */
export function spanEventId(projectId: string, traceId: string, spanId: string): string {
  return uuidOf(EVENT_NAMESPACE_BYTES, `${projectId}\nspan\n${traceId}\n${spanId}`);
}

/**
 * Returns the event id of the calling span of two that share a span id, from that of the serving span, which is the id
 * derived from the span.
 */
export function callingEventId(servingEventId: string): string {
  return uuidOf(EVENT_NAMESPACE_BYTES, `calling\n${servingEventId}`);
}

function uuidOf(namespace: Buffer, name: string): string {
  const digest = hash('sha1', joined(namespace, name), 'hex');
  const variant = '89ab'.charAt(Number.parseInt(digest.charAt(16), 16) & 3);
  const last = digest.slice(20, 32);
  return `${digest.slice(0, 8)}-${digest.slice(8, 12)}-5${digest.slice(13, 16)}-${variant}${digest.slice(17, 20)}-${last}`;
}

function joined(namespace: Buffer, name: string): Buffer {
  if (namespace.length + name.length * 3 > SCRATCH.length)
    return Buffer.concat([namespace, Buffer.from(name)]);
  SCRATCH.set(namespace);
  return SCRATCH.subarray(0, namespace.length + SCRATCH.write(name, namespace.length));
}
