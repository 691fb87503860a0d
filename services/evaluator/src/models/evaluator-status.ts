import type { internalApi } from '@assay/contracts';
import type { PythonRunner } from '@assay/python-runner';
import type { Finding } from '@assay/runtime';
import { providerNames, type ModelSettings } from './open-judge.js';
import { readProviderFile } from './read-provider-file.js';

/** Failing providers of one report, so that its size is bounded. */
const MAX_REPORTED = 1_000;

/** A provider whose last call by a project has failed. */
export interface FailingProvider {
  readonly projectId: string;
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
  const { projects } = readProviderFile(config.llmProvidersFile);
  const report = ({ projectId, provider, pausedUntil }: FailingProvider) => ({
    ...{ project_id: projectId, name: provider },
    is_own: projects.get(projectId)?.has(provider) ?? false,
    paused_until: pausedUntil > 0 ? new Date(pausedUntil).toISOString() : null,
  });
  return (): Required<internalApi.EvaluatorStatus> => {
    const { state } = python;
    return {
      python: state.available
        ? { available: true, reason: null }
        : { available: false, reason: state.reason },
      providers,
      failing_providers: failing().slice(0, MAX_REPORTED).map(report),
    };
  };
}

/** Returns what `/doctor` reports of the sandbox. Missing Python is no fault: only metrics of type PYTHON need it. */
export function inspectPython(reason: string | null | undefined): Finding {
  return { name: 'Python sandbox', ok: true, detail: reason ? `not used: ${reason}` : 'available' };
}
