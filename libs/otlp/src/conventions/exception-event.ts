import type { Attributes } from '../messages.js';

/** Name of the event that records an exception. */
export const EXCEPTION_EVENT = 'exception';

/** Whether events of this name record an exception: the plain one, and those of the operations of the GenAI conventions. */
export function isExceptionEvent(name: string): boolean {
  return name === EXCEPTION_EVENT || (name.startsWith('gen_ai.') && name.endsWith('.exception'));
}

/** Whether the attributes name an exception, as those of a log record of any name do when a logger was given one. */
export function namesException(attributes: Attributes): boolean {
  return attributes.has('exception.type') || attributes.has('exception.message');
}
