import type { PersonOutcome } from '@assay/control-plane-client';
import { activeLimits, keyIdOfPerson, type ActiveLimits } from '@assay/domain';
import type { Project, ProjectCollection } from '../projects/project-document.js';
import { grantedProjects, grantIn } from './granted-projects.js';
import { EVERY_PROJECT, type Grant, type GroupRules } from './groups-file.js';
import type { TokenProblem, Verified } from './verify-token.js';

const MAX_GROUPS = 10_000;
const MAX_NAME_LENGTH = 200;

export interface AuthenticatePersonDeps {
  readonly projects: ProjectCollection;
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
}

type Claims = Extract<Verified, { readonly claims: unknown }>['claims'];

/** Returns the function that tells whom a token of the identity provider belongs to, and in which project. */
export function makeAuthenticatePerson(deps: AuthenticatePersonDeps, provider: IdentityProvider | undefined) {
  return async function authenticatePerson(token: string, projectId: string | null): Promise<PersonOutcome> {
    if (provider === undefined) return { caller: null, refusal: null };
    const verified = await provider.verify(token);
    if ('problem' in verified) {
      provider.onRefusal(verified.problem);
      return refused('UNAUTHORIZED', `the token is not valid: ${verified.message}`);
    }
    const outcome = await callerOf(verified.claims, projectId, { ...deps, provider });
    if (outcome.refusal?.code === 'FORBIDDEN') provider.onRefusal('no_access');
    return outcome;
  };
}

async function callerOf(
  claims: Claims,
  projectId: string | null,
  deps: AuthenticatePersonDeps & { readonly provider: IdentityProvider },
): Promise<PersonOutcome> {
  const { rules, groupsClaim } = deps.provider;
  const groups = groupsOf(claims, groupsClaim);
  if (typeof groups === 'string') return refused('FORBIDDEN', groups);
  const granted = grantedProjects(rules, groups);
  const project = await chosenProject(granted, projectId, deps.projects);
  if ('refusal' in project) return project;
  return { caller: toCaller(claims, project, grantIn(granted, project.id) ?? null, deps), refusal: null };
}

/** Returns the groups, or why there are none. */
function groupsOf(claims: Claims, name: string): readonly unknown[] | string {
  const value = valueAt(claims, name);
  if (typeof value === 'string') return [value];
  if (!Array.isArray(value)) return `the token has no list of groups in the claim ${name}`;
  return value.length <= MAX_GROUPS ? value : `the claim ${name} has more than ${MAX_GROUPS} entries`;
}

/** A claim whose own name has dots has precedence over a path. */
function valueAt(claims: object, name: string): unknown {
  if (Object.hasOwn(claims, name)) return (claims as Record<string, unknown>)[name];
  let value: unknown = claims;
  for (const part of name.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Record<string, unknown>)[part];
  }
  return value;
}

/** The existence of projects is not disclosed to people without access. */
async function chosenProject(
  granted: ReadonlyMap<string, Grant>,
  projectId: string | null,
  projects: ProjectCollection,
): Promise<Project | PersonOutcome> {
  if (projectId !== null) {
    const isGranted = grantIn(granted, projectId) !== undefined;
    const found = isGranted ? await projects.get(projectId) : undefined;
    return (
      found ??
      refused('FORBIDDEN', 'no group of this person has access to the project that Assay-Project names')
    );
  }
  const [only, another] = granted.has(EVERY_PROJECT)
    ? await projects.list({ equals: {}, limit: 2 })
    : await projects.getAll([...granted.keys()]);
  if (only === undefined) return refused('FORBIDDEN', 'no group of this person has access to a project');
  if (another === undefined) return only;
  return refused(
    'VALIDATION_ERROR',
    'this person has access to several projects: the header Assay-Project is missing, send the id of the project',
  );
}

function toCaller(
  claims: Claims,
  { id: projectId, name: projectName, limits }: Project,
  grant: Grant,
  { projectLimits: installation }: AuthenticatePersonDeps,
): NonNullable<PersonOutcome['caller']> {
  const projectLimits = activeLimits(limits, installation);
  return {
    ...{ projectId, projectName, keyId: keyIdOfPerson(claims.sub), scope: 'project', person: nameOf(claims) },
    expiresAt: new Date(claims.exp * 1_000).toISOString(),
    ...(projectLimits && { projectLimits }),
    ...(grant && { permissions: grant }),
  };
}

/** Leaves out control characters, so that a line of the audit trail stays one line. */
function nameOf({ email, preferred_username, name, sub }: Claims): string {
  for (const stated of [email, preferred_username, name, sub]) {
    const text = typeof stated === 'string' ? stated.replace(/\p{C}/gu, '').trim() : '';
    if (text !== '') return text.slice(0, MAX_NAME_LENGTH);
  }
  return sub;
}

function refused(
  code: NonNullable<PersonOutcome['refusal']>['code'],
  message: string,
): PersonOutcome & { readonly refusal: object } {
  return { caller: null, refusal: { code, message } };
}
