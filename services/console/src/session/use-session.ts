import { useQuery, useQueryClient, keepPreviousData } from '@tanstack/react-query';
import { readTreePage, type TaggedPage } from '../api/session-tree.js';
import { layOutTree, type TreeLayout } from './lay-out-tree.js';
import { mergePages, type SessionEvents } from './merge-pages.js';

/** A session as far as its pages were read. */
export interface LoadedSession {
  readonly pages: readonly TaggedPage[];
  readonly events: SessionEvents;
  readonly layout: TreeLayout;
  /** Changes with every page. */
  readonly tag: string;
}

interface Request {
  readonly project: string;
  readonly sessionId: string;
  /** Pages to read; each has up to 20,000 events. */
  readonly pageCount: number;
}

/** Reads the events of a session. Reading again costs no more than a question whether they have changed. */
export function useSession({ project, sessionId, pageCount }: Request) {
  const client = useQueryClient();
  const key = ['session', project, sessionId];
  return useQuery({
    queryKey: key,
    queryFn: ({ signal }) =>
      readSession({ project, sessionId, pageCount, known: client.getQueryData<LoadedSession>(key), signal }),
    placeholderData: keepPreviousData,
    structuralSharing: false,
    refetchOnWindowFocus: false,
    staleTime: Infinity,
    retry: false,
  });
}

async function readSession(
  request: Request & { readonly known: LoadedSession | undefined; readonly signal: AbortSignal },
): Promise<LoadedSession> {
  const { project, sessionId, pageCount, known, signal } = request;
  const pages: TaggedPage[] = [];
  let cursor: string | undefined;
  do {
    const before = known?.pages[pages.length];
    const read = await readTreePage({ project, sessionId, cursor, tag: before?.tag, signal });
    const page = read ?? before;
    if (page === undefined) break;
    pages.push(page);
    cursor = page.page.next_cursor ?? undefined;
  } while (cursor !== undefined && pages.length < pageCount);
  const isSame = known?.pages.length === pages.length && pages.every((page, at) => page === known.pages[at]);
  return isSame ? known : load(pages);
}

function load(pages: readonly TaggedPage[]): LoadedSession {
  const events = mergePages(pages.map(({ page }) => page));
  return { pages, events, layout: layOutTree(events), tag: pages.map(({ tag }) => tag).join() };
}
