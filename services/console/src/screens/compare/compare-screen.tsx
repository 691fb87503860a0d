import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { ComparePage } from '../../compare/compare-page.js';
import { printCompareView, readCompareView, type CompareView } from '../../compare/compare-view.js';
import type { Search } from '../../url/search.js';

/** Two runs, in the view that the address names. */
export function CompareScreen() {
  const { project, new: newRun, old: oldRun } = useParams({ from: '/p/$project/compare/$new/$old' });
  const search: Search = useSearch({ from: '/p/$project/compare/$new/$old' });
  const navigate = useNavigate({ from: '/p/$project/compare/$new/$old' });
  const pair = useMemo(() => ({ project, newRun, oldRun }), [project, newRun, oldRun]);
  const onView = useCallback(
    (change: Partial<CompareView>, { replace }: { readonly replace: boolean }) =>
      void navigate({
        search: (before: Search) => printCompareView({ ...readCompareView(before), ...change }),
        replace,
      }),
    [navigate],
  );
  return <ComparePage pair={pair} view={readCompareView(search)} onView={onView} />;
}
