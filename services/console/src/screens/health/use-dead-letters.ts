import { useInfiniteQuery } from '@tanstack/react-query';
import { useAdministration } from '../../administration/use-administration.js';
import { deadLetters } from '../../api/dead-letters.js';
import { useServes } from '../../api/use-session.js';

export const DEAD_LETTERS = ['administration', 'dead letters'];

/** The dead letters of the installation, page by page. Nothing is read while administration is locked. */
export function useDeadLetters() {
  const { unlockedTo } = useAdministration();
  const isServed = useServes('listDeadLetters');
  return useInfiniteQuery({
    queryKey: DEAD_LETTERS,
    queryFn: ({ signal, pageParam }) => deadLetters(pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor: next }) => next ?? undefined,
    enabled: isServed && unlockedTo !== undefined,
  });
}

/** How many dead letters there are, at least; undefined: that is not known. */
export function useDeadLetterCount(): number | undefined {
  const { data, error, isEnabled } = useDeadLetters();
  if (!isEnabled || error !== null) return undefined;
  return data?.pages.reduce((sum, page) => sum + page.dead_letters.length, 0);
}
