import type { internalApi } from '@assay/contracts';
import type { PythonRunner } from '@assay/python-runner';
import type { Finding } from '@assay/runtime';
import { providerNames, type ModelSettings } from './open-judge.js';

/** Returns a function that reports the Python sandbox and the model providers of this process. */
export function makeEvaluatorStatus(config: ModelSettings, python: Pick<PythonRunner, 'state'>) {
  const providers = providerNames(config);
  return (): internalApi.EvaluatorStatus => {
    const { state } = python;
    return {
      python: state.available
        ? { available: true, reason: null }
        : { available: false, reason: state.reason },
      providers,
    };
  };
}

/** Returns what `/doctor` reports of the sandbox. Missing Python is no fault: only metrics of type PYTHON need it. */
export function inspectPython(reason: string | null | undefined): Finding {
  return { name: 'Python sandbox', ok: true, detail: reason ? `not used: ${reason}` : 'available' };
}
