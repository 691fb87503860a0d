import { QueryCache, QueryClient } from '@tanstack/react-query';
import { OfflineError } from '../api/call.js';
import { setReachable } from './reachable.js';

/** Responses that a screen has read. A screen decides when it asks again: nothing is read twice because a window was focused. */
export const queries = new QueryClient({
  queryCache: new QueryCache({
    onError: (error) => {
      if (error instanceof OfflineError) setReachable(false);
    },
    onSuccess: () => setReachable(true),
  }),
  defaultOptions: {
    queries: { retry: false, refetchOnWindowFocus: false, staleTime: 15_000, networkMode: 'always' },
    mutations: { networkMode: 'always' },
  },
});
