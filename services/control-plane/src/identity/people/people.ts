import type {
  CompletedSignIn,
  PersonOutcome,
  ReturnedCode,
  SignInProvider,
} from '@assay/control-plane-client';
import { activeLimits, keyIdOfPerson, type ActiveLimits } from '@assay/domain';
import type { HashKey } from '../keys/hash-key.js';
import type { Project, ProjectCollection } from '../projects/project-document.js';
import { grantedProjects, grantIn } from './granted-projects.js';
import { EVERY_PROJECT, type Grant, type GroupRules } from './groups-file.js';
import { personOf, type Claims, type Person } from './person.js';
import { makeSessionTokens, type SessionTokens } from './session-tokens.js';
import type { SignInClient } from './sign-in-client.js';
import type { TokenProblem, Verified } from './verify-token.js';

/** Projects that a person can choose from in the console. */
const MAX_PROJECTS = 200;
/** A longer token of a session does not fit into a cookie. */
const MAX_SESSION_LENGTH = 2_000;

export interface PeopleDeps {
  readonly projects: ProjectCollection;
  readonly hashKey: HashKey;
  readonly now: () => Date;
  /** Limits of projects that have none of their own. */
  readonly projectLimits?: ActiveLimits;
}

/** The identity provider of the installation. */
export interface IdentityProvider {
  readonly verify: (token: string) => Promise<Verified>;
  readonly rules: GroupRules;
  /** Name of the claim, or its path through objects with dots. */
  readonly groupsClaim: string;
  /** Counts the refused tokens. */
  readonly onRefusal: (problem: TokenProblem) => void;
  /** Absent where the console does not sign in with the provider. */
  readonly signIn?: SignInClient | undefined;
}

/** What data planes and consoles ask about people. */
export interface People {
  /** Whom a token of the provider, or of a session, belongs to in a project. */
  readonly authenticatePerson: (token: string, projectId: string | null) => Promise<PersonOutcome>;
  readonly signInProvider: () => Promise<SignInProvider | undefined>;
  readonly completeSignIn: (returned: ReturnedCode) => Promise<CompletedSignIn>;
  /** The person as the caller of each project; empty for a session that has ended. */
  readonly projectsOfPerson: (session: string) => Promise<readonly PersonCaller[]>;
}

type PersonCaller = NonNullable<PersonOutcome['caller']>;

interface Deps extends PeopleDeps {
  readonly provider: IdentityProvider;
  readonly sessions: SessionTokens;
}

/** Without a provider, no token belongs to anybody. */
export function makePeople(deps: PeopleDeps, provider: IdentityProvider | undefined): People {
  if (provider === undefined)
    return {
      authenticatePerson: () => Promise.resolve({ caller: null, refusal: null }),
      signInProvider: () => Promise.resolve(undefined),
      completeSignIn: () => Promise.resolve(failed('refused')),
      projectsOfPerson: () => Promise.resolve([]),
    };
  const all: Deps = { ...deps, provider, sessions: makeSessionTokens(deps.hashKey, deps.now) };
  return {
    authenticatePerson: async (token, projectId) => {
      const outcome = await authenticate(token, projectId, all);
      if (outcome.refusal?.code === 'FORBIDDEN') provider.onRefusal('no_access');
      return outcome;
    },
    signInProvider: () => describeProvider(provider.signIn),
    completeSignIn: (returned) => completeSignIn(returned, all),
    projectsOfPerson: async (session) => {
      const person = await all.sessions.read(session);
      return person === undefined ? [] : callersOf(person, all);
    },
  };
}

async function authenticate(token: string, projectId: string | null, deps: Deps): Promise<PersonOutcome> {
  const person = await identify(token, deps);
  if ('refusal' in person) return person;
  const granted = grantedProjects(deps.provider.rules, person.groups);
  const project = await chosenProject(granted, projectId, deps.projects);
  if ('refusal' in project) return project;
  return { caller: toCaller(person, project, grantIn(granted, project.id) ?? null, deps), refusal: null };
}

async function identify(token: string, { provider, sessions }: Deps): Promise<Person | Refused> {
  if (sessions.isOne(token)) {
    const person = await sessions.read(token);
    if (person === undefined) provider.onRefusal('expired');
    return person ?? refused('UNAUTHORIZED', 'the session has ended, sign in again');
  }
  const verified = await provider.verify(token);
  if ('claims' in verified) return identified(verified.claims, provider);
  provider.onRefusal(verified.problem);
  return refused('UNAUTHORIZED', `the token is not valid: ${verified.message}`);
}

function identified(claims: Claims, { groupsClaim }: IdentityProvider): Person | Refused {
  const person = personOf(claims, groupsClaim);
  return typeof person === 'string' ? refused('FORBIDDEN', person) : person;
}

async function describeProvider(client: SignInClient | undefined): Promise<SignInProvider | undefined> {
  if (client === undefined) return undefined;
  const { clientId, scope } = client;
  return { clientId, scope, authorizationEndpoint: (await client.authorizationEndpoint()) ?? null };
}

/** Exchanges the code for the token of a session, which has no more than what the groups file knows of the person. */
async function completeSignIn(returned: ReturnedCode, deps: Deps): Promise<CompletedSignIn> {
  const { provider, sessions } = deps;
  const { signIn, rules, onRefusal } = provider;
  if (signIn === undefined) return failed('refused');
  const verified = await signIn.exchange(returned);
  if ('problem' in verified) {
    onRefusal(verified.problem);
    return failed(verified.problem === 'unreachable' ? 'unreachable' : 'refused');
  }
  const person = identified(verified.claims, provider);
  if ('refusal' in person || (await callersOf(person, deps)).length === 0) {
    onRefusal('no_access');
    return failed('no_access');
  }
  const groups = person.groups.filter((group) => typeof group === 'string' && rules.has(group)) as string[];
  const token = await sessions.issue({ ...person, groups: [...new Set(groups)] });
  if (token.length > MAX_SESSION_LENGTH) return failed('too_many_groups');
  const { name, expires } = person;
  return { session: { token, name, expiresAt: new Date(expires * 1_000).toISOString() }, problem: null };
}

async function callersOf(person: Person, deps: Deps): Promise<readonly PersonCaller[]> {
  const granted = grantedProjects(deps.provider.rules, person.groups);
  const projects = await projectsIn(granted, MAX_PROJECTS, deps.projects);
  return projects.map((project) => toCaller(person, project, grantIn(granted, project.id) ?? null, deps));
}

async function projectsIn(
  granted: ReadonlyMap<string, Grant>,
  limit: number,
  projects: ProjectCollection,
): Promise<readonly Project[]> {
  if (granted.has(EVERY_PROJECT)) return projects.list({ equals: {}, limit });
  return projects.getAll([...granted.keys()].slice(0, MAX_PROJECTS));
}

/** The existence of projects is not disclosed to people without access. */
async function chosenProject(
  granted: ReadonlyMap<string, Grant>,
  projectId: string | null,
  projects: ProjectCollection,
): Promise<Project | Refused> {
  if (projectId !== null) {
    const isGranted = grantIn(granted, projectId) !== undefined;
    const found = isGranted ? await projects.get(projectId) : undefined;
    return (
      found ??
      refused('FORBIDDEN', 'no group of this person has access to the project that Assay-Project names')
    );
  }
  const [only, another] = await projectsIn(granted, 2, projects);
  if (only === undefined) return refused('FORBIDDEN', 'no group of this person has access to a project');
  if (another === undefined) return only;
  return refused(
    'VALIDATION_ERROR',
    'this person has access to several projects: the header Assay-Project is missing, send the id of the project',
  );
}

function toCaller(
  { subject, name, expires }: Person,
  { id: projectId, name: projectName, limits }: Project,
  grant: Grant,
  { projectLimits: installation }: PeopleDeps,
): PersonCaller {
  const projectLimits = activeLimits(limits, installation);
  return {
    ...{ projectId, projectName, keyId: keyIdOfPerson(subject), scope: 'project', person: name },
    expiresAt: new Date(expires * 1_000).toISOString(),
    ...(projectLimits && { projectLimits }),
    ...(grant && { permissions: grant }),
  };
}

type Refused = PersonOutcome & { readonly refusal: object };

function refused(code: NonNullable<PersonOutcome['refusal']>['code'], message: string): Refused {
  return { caller: null, refusal: { code, message } };
}

function failed(problem: NonNullable<CompletedSignIn['problem']>): CompletedSignIn {
  return { session: null, problem };
}
