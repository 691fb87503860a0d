import type { ServerResponse } from 'node:http';
import { AppError } from '@assay/errors';

const MEGABYTE = 1024 * 1024;
/** Bytes of responses that the clients of one project, and of all, have not taken. */
const MAX_PER_PROJECT = 128 * MEGABYTE;
const MAX_TOTAL = 512 * MEGABYTE;
/** Shorter responses do not count: the buffers of the system take them. */
const MIN_COUNTED = 64 * 1024;

/**
 * Counts the bytes of whole responses that are held in memory until their clients take them. A project that holds nothing may always
 * hold one response.
 */
export class UnsentResponses {
  readonly #byProject = new Map<string, number>();
  #total = 0;

  /**
   * Counts a response of this length until it is sent or its client has disconnected.
   * @throws AppError `OVERLOADED` when the project, or all together, hold too much
   */
  hold(projectId: string, length: number, response: ServerResponse): void {
    if (length < MIN_COUNTED || response.destroyed) return;
    const held = this.#byProject.get(projectId) ?? 0;
    const isFull = held + length > MAX_PER_PROJECT || this.#total + length > MAX_TOTAL;
    if (held > 0 && isFull) throw overloaded();
    this.#add(projectId, length);
    response.once('close', () => this.#add(projectId, -length));
  }

  #add(projectId: string, length: number): void {
    this.#total += length;
    const held = (this.#byProject.get(projectId) ?? 0) + length;
    if (held === 0) this.#byProject.delete(projectId);
    else this.#byProject.set(projectId, held);
  }
}

function overloaded(): AppError {
  return new AppError(
    'OVERLOADED',
    'clients of the project do not take its responses fast enough, send the request again later',
  );
}
