import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  compile,
  CONSOLE_PROJECT_HEADER,
  signInRequest,
  type ConsoleSession,
  type SignInRequest,
} from '@assay/contracts';
import type { Authenticator } from '@assay/control-plane-client';
import { asAnnotator, type Caller } from '@assay/domain';
import { AppError, validationError } from '@assay/errors';
import type { Logger } from '@assay/runtime';
import { originOf, toPlainAddress, type IsTrustedProxy } from '../request/client-address.js';
import type { ByteBudget } from '../scheduling/byte-budget.js';
import { assertSameOrigin } from './assert-same-origin.js';
import type { ConsoleOptions } from './console-options.js';
import type { AdministrationCookie } from './administration-cookie.js';
import type { CookieSessions } from './cookie-sessions.js';
import type { LoginLimit } from './login-limit.js';
import { readSmallJson } from './read-small-json.js';
import type { Session, SessionKey, SessionPerson } from './sealed-session.js';
import { KEY_SECONDS, withKey } from './session-rules.js';

export interface SessionDeps {
  readonly options: ConsoleOptions;
  readonly sessions: CookieSessions;
  readonly administration: AdministrationCookie;
  readonly authenticator: Pick<Authenticator, 'authenticate'>;
  readonly logins: LoginLimit;
  readonly isTrustedProxy: IsTrustedProxy;
  readonly budget: ByteBudget;
  readonly logger?: Logger | undefined;
  readonly version: string;
  /** Operations that the process serves to the console. */
  readonly capabilities: readonly string[];
}

/** What a request about the session leads to. */
export interface SessionResponse {
  readonly body: object;
  /** Values of `Set-Cookie`. */
  readonly cookies: readonly string[];
}

const checkSignIn = compile(signInRequest);

/**
 * Signs in: adds a project to the session of the browser, or begins one. With a name alone, the person of the session annotates under
 * that name from now on; this is no attempt to sign in. @throws AppError
 */
export async function signIn(
  request: IncomingMessage,
  response: ServerResponse,
  deps: SessionDeps,
): Promise<SessionResponse> {
  const { sessions, logins } = deps;
  assertSameOrigin(request, sessions.siteOf(request));
  const before = sessions.read(request);
  const countAttempt = () => logins.count(originOf(request, undefined, deps.isTrustedProxy).address);
  if (before === undefined) countAttempt();
  const { annotator, ...sent } = await readSignIn(request, response, deps.budget);
  if (before && annotator !== undefined && !hasSecret(sent)) {
    if (before.person)
      throw new AppError('FORBIDDEN', 'the name under which you annotate is that of the identity provider');
    return responseFor(request, { ...before, annotator }, deps);
  }
  if (before) countAttempt();
  const added = await checkedKey(sent, deps);
  const keys = withKey(before, added);
  const { person } = before ?? {};
  return responseFor(request, { keys, person, annotator: annotator ?? before?.annotator ?? null }, deps);
}

/** Describes the session and prolongs it. Projects whose keys have ended leave it. @throws AppError `UNAUTHORIZED`, `UNAVAILABLE` */
export function describeSession(request: IncomingMessage, deps: SessionDeps): Promise<SessionResponse> {
  assertSameOrigin(request, deps.sessions.siteOf(request));
  const session = deps.sessions.read(request);
  if (session === undefined) throw new AppError('UNAUTHORIZED', 'the session has ended, sign in again');
  return responseFor(request, session, deps);
}

/** Signs out: the browser forgets the keys and the administrator's token. @throws AppError */
export function signOut(request: IncomingMessage, deps: SessionDeps): SessionResponse {
  const { sessions, administration } = deps;
  assertSameOrigin(request, sessions.siteOf(request));
  return { body: { success: true }, cookies: [sessions.clear(request), administration.clear(request)] };
}

async function readSignIn(request: IncomingMessage, response: ServerResponse, budget: ByteBudget) {
  const sent = checkSignIn(await readSmallJson(request, response, budget));
  const { api_key, code, annotator } = sent;
  if ((api_key !== undefined && code !== undefined) || (!hasSecret(sent) && annotator === undefined))
    throw validationError('exactly one of api_key and code is needed');
  return sent;
}

const hasSecret = ({ api_key, code }: Pick<SignInRequest, 'api_key' | 'code'>) =>
  api_key !== undefined || code !== undefined;

/** All causes look the same, so that a guess does not show which keys exist. */
async function checkedKey(
  { api_key, code }: { readonly api_key?: string | undefined; readonly code?: string | undefined },
  { options, authenticator, sessions }: SessionDeps,
): Promise<SessionKey> {
  const key = code === undefined ? api_key : await options.codes.take(code);
  const caller = key === undefined ? undefined : await authenticator.authenticate(key.trim());
  if (key === undefined || caller === undefined)
    throw new AppError('UNAUTHORIZED', 'the key or the link is unknown, used, expired or revoked');
  if (caller.scope !== 'project')
    throw new AppError(
      'FORBIDDEN',
      'this key may only send events and sessions, the console needs one that may read',
    );
  return { projectId: caller.projectId, key: key.trim(), since: sessions.now() };
}

/** A project of the session: a key, or the person, with the caller that it authenticates. */
interface Entry {
  readonly caller: Caller;
  /** Unix milliseconds. */
  readonly ends: number;
}

async function responseFor(
  request: IncomingMessage,
  session: Omit<Session, 'expires'>,
  deps: SessionDeps,
): Promise<SessionResponse> {
  const [ofKeys, ofPerson] = await Promise.all([
    entriesOf(session.keys, deps),
    entriesOfPerson(session.person, deps),
  ]);
  if (ofKeys.length + ofPerson.length === 0)
    throw new AppError('UNAUTHORIZED', 'the session has ended, sign in again');
  const keys = ofKeys.map(({ projectId, key, since }) => ({ projectId, key, since }));
  const person = ofPerson.length === 0 ? undefined : session.person;
  const hasKey = new Set(keys.map(({ projectId }) => projectId));
  const entries = [...ofPerson.filter(({ caller }) => !hasKey.has(caller.projectId)), ...ofKeys];
  const annotator = identityOf(request, deps) ?? (person ? asAnnotator(person.name) : session.annotator);
  const project = keys.at(-1)?.projectId ?? person?.projectId;
  return {
    body: describe(request, { entries, annotator, project, person: person?.name ?? null }, deps),
    cookies: [deps.sessions.write(request, { keys, person, annotator: session.annotator })],
  };
}

async function entriesOfPerson(
  person: SessionPerson | undefined,
  { options }: SessionDeps,
): Promise<Entry[]> {
  const callers = person === undefined ? [] : await options.people?.projectsOfPerson(person.token);
  return (callers ?? []).map((caller) => ({ caller, ends: (person?.expires ?? 0) * 1_000 }));
}

async function entriesOf(
  keys: readonly SessionKey[],
  { authenticator }: SessionDeps,
): Promise<(SessionKey & Entry)[]> {
  const callers = await Promise.all(keys.map(({ key }) => authenticator.authenticate(key)));
  return keys.flatMap((one, index) => {
    const caller = callers[index];
    return caller?.projectId === one.projectId ? [{ ...one, caller, ends: endOf(caller, one.since) }] : [];
  });
}

/** The name that an authenticating proxy states. Anybody else could send the header too. */
function identityOf(request: IncomingMessage, { options, isTrustedProxy }: SessionDeps): string | undefined {
  const { identityHeader } = options;
  if (identityHeader === undefined || !isTrustedProxy(toPlainAddress(request.socket.remoteAddress)))
    return undefined;
  const stated = request.headers[identityHeader];
  const name = typeof stated === 'string' ? stated.trim() : '';
  return name === '' ? undefined : asAnnotator(name);
}

interface Described extends Pick<ConsoleSession, 'annotator' | 'person'> {
  readonly entries: readonly Entry[];
  /** The project of requests that name none. */
  readonly project: string | undefined;
}

function describe(
  request: IncomingMessage,
  { entries, annotator, project: latest, person }: Described,
  { options, version, capabilities, administration }: SessionDeps,
): ConsoleSession {
  const projects = entries
    .map(({ caller, ends }) => ({
      id: caller.projectId,
      name: caller.projectName,
      key_id: caller.keyId,
      permissions: caller.permissions ?? null,
      expires_at: new Date(ends).toISOString(),
    }))
    .sort((left, right) => left.name.localeCompare(right.name, 'en'));
  const named = request.headers[CONSOLE_PROJECT_HEADER];
  const has = (id: unknown) => projects.some((project) => project.id === id);
  const project = [named, latest].find(has) ?? projects[0]?.id ?? '';
  const unlocked = administration.read(request);
  const end = unlocked === undefined ? null : new Date(unlocked.expires * 1_000).toISOString();
  return {
    ...{ projects, project: String(project), annotator, person, administration_until: end },
    ...{ ...options.about, version, capabilities: [...capabilities] },
  };
}

/** When a key has to be entered again, or expires. Unix milliseconds. */
function endOf({ expiresAt }: Caller, since: number): number {
  const enteredAgain = (since + KEY_SECONDS) * 1_000;
  return Math.min(enteredAgain, expiresAt === undefined ? Infinity : Date.parse(expiresAt));
}
