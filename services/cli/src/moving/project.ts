import { setTimeout } from 'node:timers/promises';
import type {
  exportDocuments,
  exportEvaluations,
  getStatus,
  MovedDocument,
  ProjectResponse,
  ResponseOf,
} from '@assay/contracts';
import type { DocumentKind } from '@assay/domain';
import type { Api } from '../api.js';
import { CliError, PassingError } from '../cli-error.js';
import type { Output } from '../output.js';
import { patiently } from './patiently.js';

const as = 'project';
const BATCH_EVENTS = 250;
const BATCH_BYTES = 4 * 1024 * 1024;
const WAIT_SECONDS = 30;
const POLL_MS = 250;
const MAX_SETTLE_MS = 15 * 60_000;

/** An event as it is exported. */
export interface ReadEvent {
  readonly id: string;
  /** Unix milliseconds. */
  readonly start: number;
  /** JSON text of the event with its evaluations. */
  readonly value: string;
}

/** The start of the oldest event that was read, and the events that have it. */
export interface EventPosition {
  readonly start: number;
  readonly ids: ReadonlySet<string>;
}

/** The project of the key, over HTTP. */
export class Project {
  constructor(
    private readonly api: Api,
    private readonly output: Output,
  ) {}

  /** Returns the project. @throws CliError unless `expected` is its name or its id */
  async identify(expected?: string): Promise<{ readonly id: string; readonly name: string }> {
    const [project] = await this.#get<ProjectResponse[]>('/v1/projects');
    if (project === undefined) throw new CliError('the key has no project, check ASSAY_API_KEY');
    if (expected !== undefined && expected !== project.name && expected !== project.id)
      throw new CliError('ASSAY_API_KEY is a key of another project, set it to one of the named project');
    return { id: project.id, name: project.name };
  }

  /** Reads a page of documents. */
  documents(kind: DocumentKind, cursor: string | null): Promise<ResponseOf<typeof exportDocuments>> {
    return this.#get('/v1/transfers/documents', { kind, cursor: cursor ?? undefined });
  }

  async *allDocuments(kind: DocumentKind): AsyncGenerator<MovedDocument> {
    let cursor: string | null = null;
    do {
      const page: ResponseOf<typeof exportDocuments> = await this.documents(kind, cursor);
      yield* page.documents;
      cursor = page.next_cursor;
    } while (cursor !== null);
  }

  /** Reads events with their evaluations, newest first, in batches, and continues after an interruption. */
  async *events(after?: EventPosition): AsyncGenerator<readonly ReadEvent[]> {
    let position = after;
    for (;;) {
      try {
        for await (const batch of this.#batches(position)) {
          position = positionAfter(position, batch);
          yield batch;
        }
        return;
      } catch (error) {
        if (!(error instanceof PassingError)) throw error;
        await patiently(this.output, () => this.identify());
      }
    }
  }

  /** Returns those of the events that exist, with the JSON text of their evaluations. */
  async evaluations(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const found = new Map<string, string>();
    for (let left = ids; left.length > 0;) {
      const { events, unread } = await this.#evaluationsOf(left);
      for (const one of events) found.set(one.event_id, JSON.stringify(one.evaluations));
      left = unread;
    }
    return found;
  }

  #evaluationsOf(ids: readonly string[]): Promise<ResponseOf<typeof exportEvaluations>> {
    return patiently(this.output, () =>
      this.api.call<ResponseOf<typeof exportEvaluations>>({
        method: 'POST',
        path: '/v1/transfers/evaluations',
        body: { event_ids: ids },
        waitSeconds: WAIT_SECONDS,
        as,
      }),
    );
  }

  /** Sends a request that can be repeated. */
  put<Response>(path: string, body: string): Promise<Response> {
    return patiently(this.output, () => this.api.call<Response>({ method: 'PUT', path, body, as }));
  }

  /** Waits until everything that was sent is stored, decided about and forwarded. @throws CliError after 15 minutes */
  async settle(): Promise<void> {
    const from = Date.now();
    for (;;) {
      const { stages } = await this.#get<ResponseOf<typeof getStatus>>('/v1/status');
      const elapsed = (Date.now() - from) / 1_000;
      const waits = stages.filter(
        ({ lag_records: records, lag_seconds: seconds }) =>
          records !== null && records > 0 && (seconds === null || seconds >= elapsed),
      );
      if (waits.length === 0) return;
      if (elapsed * 1_000 > MAX_SETTLE_MS)
        throw new CliError(
          `events are not ${waits[0]?.name ?? 'stored'} after 15 minutes; run \`assay doctor\`, then the command again`,
        );
      await setTimeout(POLL_MS);
    }
  }

  #get<Response>(path: string, query: Readonly<Record<string, string | undefined>> = {}): Promise<Response> {
    return patiently(this.output, () => this.api.call<Response>({ path, query, as }));
  }

  async *#batches(position: EventPosition | undefined): AsyncGenerator<readonly ReadEvent[]> {
    const range = position && { dateRange: { $lte: position.start } };
    const call = { method: 'POST', path: '/v1/events/export', body: { ...range }, as } as const;
    let [lines, bytes]: [Line[], number] = [[], 0];
    for await (const text of this.api.lines({ ...call, waitSeconds: WAIT_SECONDS })) {
      const { event_id: id, start_time: start } = JSON.parse(text) as WireEvent;
      if (position?.start === start && position.ids.has(id)) continue;
      lines.push({ id, start, text });
      bytes += text.length;
      if (lines.length < BATCH_EVENTS && bytes < BATCH_BYTES) continue;
      yield await this.#withEvaluations(lines);
      [lines, bytes] = [[], 0];
    }
    if (lines.length > 0) yield await this.#withEvaluations(lines);
  }

  async #withEvaluations(lines: readonly Line[]): Promise<ReadEvent[]> {
    const found = await this.evaluations(lines.map(({ id }) => id));
    return lines.map(({ id, start, text }) => ({
      ...{ id, start },
      value: `{"event":${text},"evaluations":${found.get(id) ?? '[]'}}`,
    }));
  }
}

interface WireEvent {
  readonly event_id: string;
  readonly start_time: number;
}

interface Line {
  readonly id: string;
  readonly start: number;
  readonly text: string;
}

/** Returns the position after further events, which are not newer. */
export function positionAfter(
  before: EventPosition | undefined,
  events: readonly Pick<ReadEvent, 'id' | 'start'>[],
): EventPosition | undefined {
  const start = events.at(-1)?.start;
  if (start === undefined) return before;
  const ids = new Set(before?.start === start ? before.ids : []);
  for (const event of events) if (event.start === start) ids.add(event.id);
  return { start, ids };
}
