import { call } from './call.js';

/** A project that the browser is signed in to. */
export interface SignedInProject {
  readonly id: string;
  readonly name: string;
  readonly permissions: readonly string[] | null;
  readonly expires_at: string | null;
}

/** What the console knows about itself and its person. */
export interface ConsoleSession {
  readonly projects: readonly SignedInProject[];
  readonly project: string | null;
  readonly annotator: string | null;
  readonly plane: 'standalone' | 'data-plane' | 'control-plane';
  readonly redact_values: boolean;
  readonly version: string;
  readonly capabilities: readonly string[];
  readonly data_plane_url: string | null;
}

const PATH = '/console/session';

export const getSession = (signal?: AbortSignal) =>
  call<ConsoleSession>({ method: 'GET', path: PATH, signal });

export const signIn = (body: { readonly api_key: string } | { readonly code: string }) =>
  call<ConsoleSession>({ method: 'POST', path: PATH, body });

export const signOut = () => call<unknown>({ method: 'DELETE', path: PATH });
