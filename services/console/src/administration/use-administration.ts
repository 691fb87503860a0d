import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { lockAdministration, unlockAdministration } from '../api/administration.js';
import type { ConsoleSession } from '../api/session.js';
import { sessionQuery, useConsoleSession } from '../api/use-session.js';

interface AdministrationState {
  /** Unix milliseconds; undefined: locked. */
  readonly unlockedTo: number | undefined;
  readonly unlock: (token: string) => Promise<void>;
  readonly lock: () => Promise<void>;
}

/** Whether this browser may call the routes of the administrator. */
export function useAdministration(): AdministrationState {
  const client = useQueryClient();
  const end = useConsoleSession()?.administration_until ?? null;
  const [now, setNow] = useState(Date.now);
  const endsAt = end === null ? undefined : Date.parse(end);
  const isUnlocked = endsAt !== undefined && endsAt > now;
  useEffect(() => {
    if (!isUnlocked) return undefined;
    const timer = setTimeout(() => setNow(Date.now()), endsAt - Date.now() + 1);
    return () => clearTimeout(timer);
  }, [isUnlocked, endsAt]);
  const set = (to: string | null) => {
    setNow(Date.now());
    client.setQueryData(
      sessionQuery.queryKey,
      (session: ConsoleSession | undefined) => session && { ...session, administration_until: to },
    );
  };
  return {
    unlockedTo: isUnlocked ? endsAt : undefined,
    unlock: async (token) => set((await unlockAdministration(token)).unlocked_until),
    lock: async () => {
      await lockAdministration();
      client.removeQueries({ queryKey: ['administration'] });
      set(null);
    },
  };
}
