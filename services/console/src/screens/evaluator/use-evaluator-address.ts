import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { EvaluatorSearch } from '../../url/searches.js';

/** What a person chooses on the page of a metric; the address has it. */
export function useEvaluatorAddress() {
  const params = useParams({ from: '/p/$project/evaluators/$metric' });
  const search = useSearch({ from: '/p/$project/evaluators/$metric' });
  const navigate = useNavigate();
  const choose = (change: EvaluatorSearch) =>
    void navigate({
      ...{ to: '/p/$project/evaluators/$metric', params },
      search: (before: EvaluatorSearch) => ({ ...before, ...change }),
      // What is typed into a field is no step back.
      replace: 'event' in change,
    });
  return { ...params, search, choose };
}
