import type { IncomingMessage } from 'node:http';
import { AppError } from '@assay/errors';
import { CODE_MS } from './login-codes.js';
import type { SessionDeps, SessionResponse } from './session-resource.js';

/**
 * Returns the one-time code of a link that signs in with the key of the request. A cookie is not read here: only who has the key itself
 * gets a code. @throws AppError `UNAUTHORIZED`, `FORBIDDEN`, `UNAVAILABLE`
 */
export async function createCode(
  { headers }: IncomingMessage,
  { authenticator, options }: SessionDeps,
): Promise<Pick<SessionResponse, 'body'>> {
  const key = /^bearer +(\S{1,512}) *$/i.exec(headers.authorization ?? '')?.[1];
  const caller = key === undefined ? undefined : await authenticator.authenticate(key);
  if (key === undefined || caller === undefined)
    throw new AppError('UNAUTHORIZED', 'the key is unknown, expired or revoked');
  if (caller.scope !== 'project')
    throw new AppError('FORBIDDEN', 'this key may only send events and sessions');
  const code = options.codes.create(caller.projectId, () => Promise.resolve(key));
  return { body: { code, expires_in_seconds: CODE_MS / 1_000 } };
}
