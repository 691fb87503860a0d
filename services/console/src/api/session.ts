import type { ConsoleSession } from '@assay/contracts';
import { call } from './call.js';

export type { ConsoleSession };
export type SignedInProject = ConsoleSession['projects'][number];

const PATH = '/console/session';

export const getSession = (signal?: AbortSignal) =>
  call<ConsoleSession>({ method: 'GET', path: PATH, signal });

export const signIn = (body: { readonly api_key: string } | { readonly code: string }) =>
  call<ConsoleSession>({ method: 'POST', path: PATH, body });

/** Changes the name under which the person annotates. */
export const annotateAs = (annotator: string) =>
  call<ConsoleSession>({ method: 'POST', path: PATH, body: { annotator } });

export const signOut = () => call<unknown>({ method: 'DELETE', path: PATH });
