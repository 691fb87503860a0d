import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { getSession } from '../api/session.js';
import { OfflineError } from '../api/call.js';
import { setReachable, useReachable } from './reachable.js';

const ASK_AGAIN_MS = 3_000;

/** Says that the server does not respond. What was read before stays; when the server is back, it is read again. */
export function OfflineBanner() {
  const isReachable = useReachable();
  const client = useQueryClient();
  useEffect(() => {
    if (isReachable) return undefined;
    const timer = setInterval(() => {
      getSession().then(
        () => back(),
        (error: unknown) => error instanceof OfflineError || back(),
      );
    }, ASK_AGAIN_MS);
    const back = () => {
      setReachable(true);
      void client.invalidateQueries();
    };
    return () => clearInterval(timer);
  }, [isReachable, client]);
  return isReachable ? null : (
    <p className="banner" role="alert">
      The server cannot be reached. What you see was read before; the console tries again every 3 seconds.
    </p>
  );
}
