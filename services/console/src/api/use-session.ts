import { missingPermission, type Permission } from '@assay/domain/browser';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { takeFirstSession } from './first-session.js';
import { getSession, type ConsoleSession, type SignedInProject } from './session.js';
import { useProject } from '../url/use-project.js';

/** The person's session: to which projects the browser is signed in. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => takeFirstSession() ?? getSession(signal),
  staleTime: 60_000,
});

export function useConsoleSession(): ConsoleSession | undefined {
  return useQuery(sessionQuery).data;
}

export function useSignedInProject(): SignedInProject | undefined {
  const project = useProject();
  return useConsoleSession()?.projects.find(({ id }) => id === project);
}

/** Whether the process that serves the console takes this operation for it, such as `updateEvent`. */
export function useServes(operation: string): boolean {
  return useConsoleSession()?.capabilities.includes(operation) === true;
}

/** Whether the key of the project may do something. A key without a list may do everything. */
export function useMay(permission: Permission): boolean {
  const permissions = useSignedInProject()?.permissions ?? undefined;
  return missingPermission({ permissions: permissions }, [permission]) === undefined;
}
