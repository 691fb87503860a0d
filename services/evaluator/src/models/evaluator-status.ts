import type { internalApi } from '@assay/contracts';
import type { PythonRunner } from '@assay/python-runner';
import type { Finding } from '@assay/runtime';
import { providerNames, PROXY, type ModelSettings } from './open-judge.js';

/** A provider whose last call has failed. */
export interface FailingProvider {
  readonly provider: string;
  /** Unix milliseconds; 0 while it is called. */
  readonly pausedUntil: number;
}

export interface EvaluatorParts {
  readonly python: Pick<PythonRunner, 'state'>;
  readonly failing: () => readonly FailingProvider[];
}

/** Returns a function that reports the Python sandbox and the model providers of this process. */
export function makeEvaluatorStatus(config: ModelSettings, { python, failing }: EvaluatorParts) {
  const providers = providerNames(config);
  return (): Required<internalApi.EvaluatorStatus> => {
    const { state } = python;
    return {
      python: state.available
        ? { available: true, reason: null }
        : { available: false, reason: state.reason },
      providers,
      provider_states: providerStates(providers, failing()),
    };
  };
}

/** Returns what `/doctor` reports of the sandbox. Missing Python is no fault: only metrics of type PYTHON need it. */
export function inspectPython(reason: string | null | undefined): Finding {
  return { name: 'Python sandbox', ok: true, detail: reason ? `not used: ${reason}` : 'available' };
}

/** Names that are not configured are those of projects, so they are shown together. */
function providerStates(
  names: readonly string[],
  failing: readonly FailingProvider[],
): Required<internalApi.EvaluatorStatus>['provider_states'] {
  const isNamed = ({ provider }: FailingProvider) => provider !== PROXY && names.includes(provider);
  return names.map((name) => {
    const own = failing.filter((one) => (name === PROXY ? !isNamed(one) : one.provider === name));
    const pausedUntil = Math.max(0, ...own.map((one) => one.pausedUntil));
    if (own.length === 0) return { name, state: 'available', paused_until: null };
    if (pausedUntil === 0) return { name, state: 'failing', paused_until: null };
    return { name, state: 'paused', paused_until: new Date(pausedUntil).toISOString() };
  });
}
