import type { GetUsageQuery, ResponseOf, getUsage as route } from '@assay/contracts';
import type { IndexEntry } from '@assay/document-store';
import {
  acceptDateRange,
  addUsage,
  type DayRange,
  noUsage,
  type UsageDay,
  usageDays,
  usageOfSession,
  usageReport,
} from '@assay/domain';
import { validationError } from '@assay/errors';
import { chunks } from '../shared/chunks.js';
import type { OperationContext } from '../shared/operation-context.js';
import { ProjectScopedCollection } from '../shared/project-scoped-collection.js';
import type { SessionCollection, SessionFields } from '../sessions/session-document.js';
import { daysOf } from '../sessions/stored-summary.js';
import { readUsageKey, usageKeyRanges } from '../sessions/usage-key.js';

export interface GetUsageDeps {
  readonly sessions: SessionCollection;
  readonly now: () => Date;
  /** Index entries of one read; for tests. */
  readonly pageSize?: number;
}

/** Default of the index entries of one read, and documents of one. */
const ENTRIES_PER_READ = 10_000;
const DOCUMENTS_PER_READ = 200;
/** Sessions of one response. */
const MAX_SESSIONS = 200_000;

type Sessions = ProjectScopedCollection<SessionFields>;

/**
 * Counts what the project used by day from the summaries of its sessions: those of one day from the index, the others
 * from their documents. @throws AppError `VALIDATION_ERROR` for an invalid range, or one with too many sessions
 */
export function makeGetUsage({ sessions: collection, now, pageSize = ENTRIES_PER_READ }: GetUsageDeps) {
  return async function getUsage(
    { query }: { query: GetUsageQuery },
    { caller }: OperationContext,
  ): Promise<ResponseOf<typeof route>> {
    const sessions: Sessions = new ProjectScopedCollection(collection, caller.projectId);
    const time = now().getTime();
    const range = usageDays(acceptDateRange(query.dateRange, time), time);
    const days = new Map<string, UsageDay>();
    const add = (usage: UsageDay) => {
      if (usage.day < range.first || usage.day > range.last) return;
      const total = days.get(usage.day) ?? { day: usage.day, ...noUsage() };
      days.set(usage.day, total);
      addUsage(total, usage);
    };
    for await (const entries of indexed({ sessions, pageSize }, range)) {
      const ids: string[] = [];
      for (const { id, value } of entries) {
        const found = readUsageKey(String(value));
        if ('usage' in found) add(found.usage);
        else if (found.first <= range.last) ids.push(id);
      }
      for (const part of chunks(ids, DOCUMENTS_PER_READ))
        for (const document of await sessions.getAll(part))
          usageOfSession({ ...document, days: daysOf(document) }, document.is_listed).forEach(add);
    }
    return usageReport(days.values());
  };
}

/** Yields the index entries of all sessions that may have used something on these days, each once. */
async function* indexed(
  { sessions, pageSize }: { readonly sessions: Sessions; readonly pageSize: number },
  range: DayRange,
): AsyncGenerator<readonly IndexEntry[]> {
  let read = 0;
  for (const { from, to } of usageKeyRanges(range)) {
    // Entries of the last key read, which other sessions of that key follow.
    let last: { readonly key: string; readonly ids: ReadonlySet<string> } | undefined;
    for (;;) {
      const where = [{ field: 'usage_key', from: last?.key ?? from, to }];
      const query = { where, orderBy: 'usage_key', offset: last?.ids.size ?? 0 };
      const entries = await sessions.entries(query, pageSize);
      yield entries.filter(({ id }) => !last?.ids.has(id));
      read += entries.length;
      if (read > MAX_SESSIONS)
        throw validationError(`dateRange selects more than ${MAX_SESSIONS} sessions: narrow it`);
      if (entries.length < pageSize) break;
      last = entriesOfLastKey(entries, last);
    }
  }
}

function entriesOfLastKey(
  entries: readonly IndexEntry[],
  before: { readonly key: string; readonly ids: ReadonlySet<string> } | undefined,
) {
  const key = String(entries.at(-1)?.value);
  const ids = entries.flatMap(({ id, value }) => (value === key ? id : []));
  return { key, ids: new Set([...(before?.key === key ? before.ids : []), ...ids]) };
}
