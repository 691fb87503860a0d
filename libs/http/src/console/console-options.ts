import type { ConsoleSession } from '@assay/contracts';
import type { ControlPlane } from '@assay/control-plane-client';
import type { ConsoleFiles } from './console-files.js';
import type { LoginCodes } from './login-codes.js';

/** The console that a process serves. */
export interface ConsoleOptions {
  readonly files: ConsoleFiles;
  /** Secrets of the sessions: the first one seals, all open. */
  readonly secrets: readonly [string, ...string[]];
  /** Whether people may sign in over plain HTTP at other addresses than the loopback. */
  readonly allowsHttp: boolean;
  /** Name of the header, in lower case, in which a trusted proxy states who the person is. */
  readonly identityHeader?: string | undefined;
  /** Scheme, host and port at which browsers open the console; absent: as their requests state it. */
  readonly publicOrigin?: string | undefined;
  /** Signs people in with the identity provider; absent where the process has no control plane to ask. */
  readonly people?: PeopleOfProvider | undefined;
  readonly codes: LoginCodes;
  /** What the responses about the session say of the process. */
  readonly about: Pick<ConsoleSession, 'plane' | 'redact_values' | 'data_plane_url'>;
  /** Returns what the link that a start prints signs in to; absent where a start prints none. */
  readonly firstLogin?: (() => Promise<FirstLogin>) | undefined;
}

/** The control plane, which alone talks to the identity provider. */
export type PeopleOfProvider = Pick<ControlPlane, 'signInProvider' | 'completeSignIn' | 'projectsOfPerson'>;

/** A project, and its key, which is created when the link is used. */
export interface FirstLogin {
  readonly projectId: string;
  readonly createKey: () => Promise<string>;
}
