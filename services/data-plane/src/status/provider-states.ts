import type { internalApi, StatusResponse } from '@assay/contracts';

/** Name of the endpoint of all providers without one of their own. */
const PROXY = 'proxy';

type Known = Pick<internalApi.EvaluatorStatus, 'providers' | 'failing_providers'>;
type Failing = NonNullable<Known['failing_providers']>[number];
type ProviderState = NonNullable<StatusResponse['provider_states']>[number];

/**
 * Returns the states of providers for the calls of a project: of those that are configured, and of endpoints of the project while they
 * fail. Names without an endpoint of their own are shown together as the proxy. Null when the evaluator does not report them.
 */
export function providerStates(
  { providers, failing_providers: failing }: Known,
  projectId: string,
): ProviderState[] | null {
  if (failing === undefined) return null;
  const ofProject = failing.filter(({ project_id: id }) => id === projectId);
  const isListed = ({ name, is_own: isOwn }: Failing) =>
    isOwn || (name !== PROXY && providers.includes(name));
  const names = new Set([...providers, ...ofProject.filter(isListed).map(({ name }) => name)]);
  return [...names].map((name) => {
    const isOf = (one: Failing) => (isListed(one) ? one.name === name : name === PROXY);
    return stateOf(name, ofProject.filter(isOf));
  });
}

function stateOf(name: string, failing: readonly Failing[]): ProviderState {
  if (failing.length === 0) return { name, state: 'available', paused_until: null };
  const [last] = failing
    .flatMap(({ paused_until: time }) => time ?? [])
    .sort()
    .reverse();
  return { name, state: last === undefined ? 'failing' : 'paused', paused_until: last ?? null };
}
