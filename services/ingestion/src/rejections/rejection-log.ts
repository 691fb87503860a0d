import type { RejectionResponse } from '@assay/contracts';
import { LRUCache } from 'lru-cache';

/** Maximum of a project. */
const MAX_PER_PROJECT = 100;
/** LRU capacity. With it, all rejections take at most about 20 MB. */
const MAX_PROJECTS = 250;
const MAX_MESSAGE = 300;
const MAX_FIELD = 200;
const MAX_CLIENT = 200;

/** A rejected request, or the rejected part of an accepted one. */
export interface Rejection extends Omit<RejectionResponse, 'at' | 'field' | 'client'> {
  readonly projectId: string;
  /** `User-Agent` of the request. */
  readonly client?: string;
}

/** The last rejections of each project, in memory. */
export class RejectionLog {
  private readonly projects = new LRUCache<string, RejectionResponse[]>({ max: MAX_PROJECTS });

  /** @param now Unix milliseconds */
  constructor(private readonly now: () => number) {}

  add({ projectId, route, status, reason, message, client }: Rejection): void {
    const list = this.projects.get(projectId) ?? [];
    list.push({
      at: new Date(this.now()).toISOString(),
      route,
      status,
      reason,
      message: message.slice(0, MAX_MESSAGE),
      field: fieldOf(message),
      client: client === undefined ? null : printable(client),
    });
    if (list.length > MAX_PER_PROJECT) list.shift();
    this.projects.set(projectId, list);
  }

  /** Returns the rejections of a project, newest first. */
  list(projectId: string): RejectionResponse[] {
    return [...(this.projects.get(projectId) ?? [])].reverse();
  }
}

/** Messages about a field begin with its path, see `validationMessage`. */
const ABOUT_FIELD = /^([A-Za-z_][^ :]*) (?:must|is required|is not|has|cannot|requires)\b/;

function fieldOf(message: string): string | null {
  const field = ABOUT_FIELD.exec(message)?.[1]?.slice(0, MAX_FIELD);
  return field === undefined || field === 'body' ? null : field;
}

function printable(text: string): string {
  return text.slice(0, MAX_CLIENT).replace(/[^\x20-\x7e]/g, '?');
}
