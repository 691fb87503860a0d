import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { printListView, readListView, type ListView } from '../url/list-view.js';
import type { ListSearch } from '../url/searches.js';
import type { Search } from '../url/search.js';
import { useProject } from '../url/use-project.js';
import type { ListKind } from './columns.js';

export const LIST_PATHS = { sessions: '/p/$project/sessions', events: '/p/$project/events' } as const;

/** The choices of a list, which are in the address only. Each change is a step that Back undoes. */
export function useListView(kind: ListKind): {
  view: ListView;
  change: (changes: Partial<ListView>) => void;
} {
  const search: ListSearch = useSearch({ from: LIST_PATHS[kind] });
  const view = useMemo(() => readListView(search as Search), [search]);
  const navigate = useNavigate();
  const project = useProject();
  const change = useCallback(
    (changes: Partial<ListView>) =>
      void navigate({
        to: LIST_PATHS[kind],
        params: { project },
        search: printListView({ ...view, ...changes }) as ListSearch,
      }),
    [navigate, kind, project, view],
  );
  return { view, change };
}
