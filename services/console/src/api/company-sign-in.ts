import { call } from './call.js';

const PATH = '/console/session';

/** Whether people can sign in with their company's account here. */
export const signInOptions = (signal?: AbortSignal) =>
  call<{ readonly identity_provider: boolean }>({ method: 'GET', path: `${PATH}/options`, signal });

/** Returns the address at which a sign-in with the company's account begins. @param next page to continue at, below `/console` */
export const companySignIn = (next: string | undefined) =>
  `${PATH}/provider${next === undefined ? '' : `?${new URLSearchParams({ next }).toString()}`}`;
