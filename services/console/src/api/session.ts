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

/** Whether people can sign in with their company's account here. */
export const signInOptions = (signal?: AbortSignal) =>
  call<{ readonly identity_provider: boolean }>({ method: 'GET', path: `${PATH}/options`, signal });

/** Returns the address at which a sign-in with the company's account begins. @param next page to continue at, below `/console` */
export const companySignIn = (next: string | undefined) =>
  `${PATH}/provider${next === undefined ? '' : `?${new URLSearchParams({ next }).toString()}`}`;

export const signOut = () => call<unknown>({ method: 'DELETE', path: PATH });
