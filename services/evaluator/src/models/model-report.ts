import { setTimeout as delay } from 'node:timers/promises';
import { internalApi } from '@assay/contracts';
import type { ControlPlane } from '@assay/control-plane-client';
import type { Logger } from '@assay/runtime';
import { defaultModelOf, type DefaultModelSettings } from './default-model.js';
import type { FailingProvider } from './evaluator-status.js';
import type { ModelSettings } from './open-judge.js';
import { readProviderFile } from './read-provider-file.js';

export type ModelState = Omit<internalApi.ModelReport, 'owner' | 'projectIds'>;

/** Returns a function that reports the models that this process can call, as far as a report has room. */
export function makeModelState(config: ModelSettings & DefaultModelSettings) {
  const file = readProviderFile(config.llmProvidersFile);
  const defaultModel = defaultModelOf(config) ?? null;
  return (failing: readonly FailingProvider[]): ModelState => {
    const room = new Room();
    const providers = [...file.providers.keys()].filter((name) => room.takes(name));
    const projects = new Map<string, { projectId: string; providers: string[]; failing: string[] }>();
    const of = (projectId: string) => {
      const project = projects.get(projectId) ?? { projectId, providers: [], failing: [] };
      projects.set(projectId, project);
      return project;
    };
    for (const [projectId, own] of file.projects)
      for (const name of own.keys()) if (room.takes(name)) of(projectId).providers.push(name);
    const isComplete = !room.isExceeded;
    for (const { projectId, provider } of failing)
      if (room.takes(provider)) of(projectId).failing.push(provider);
    return {
      ...{ hasProxy: config.llmProxyUrl !== undefined, isComplete, providers },
      ...{ projects: [...projects.values()], defaultModel },
    };
  };
}

/** The names that fit into a report. */
class Room {
  isExceeded = false;
  #names = 0;

  takes(name: string): boolean {
    const { names, nameChars } = internalApi.MODEL_REPORT_LIMITS;
    const fits = name.length <= nameChars && this.#names < names;
    if (fits) this.#names++;
    else this.isExceeded = true;
    return fits;
  }
}

export interface ModelReporterOptions {
  readonly controlPlane: Pick<ControlPlane, 'reportModels'>;
  readonly state: () => ModelState;
  /** Name of this process, unlike those of all others. */
  readonly owner: string;
  /** Projects whose events this process evaluates; empty: all. */
  readonly projectIds: readonly string[];
  readonly logger: Pick<Logger, 'warn'>;
  /** A third of the time for which a report counts when absent. */
  readonly everyMs?: number;
}

const INTERVAL_MS = 10_000;

/** Reports the models of this process now and in each interval, until `stop`. A control plane that does not take reports changes nothing else. */
export function startModelReports(options: ModelReporterOptions): { stop(): Promise<void> } {
  const { controlPlane, state, owner, projectIds, logger, everyMs = INTERVAL_MS } = options;
  const stopping = new AbortController();
  const { signal } = stopping;

  async function run(): Promise<void> {
    for (let hasFailed = false; !signal.aborted;) {
      hasFailed = await controlPlane.reportModels({ owner, projectIds, ...state() }).then(
        () => false,
        (error: unknown) => {
          if (!hasFailed) logger.warn('models cannot be reported, retrying', {}, error);
          return true;
        },
      );
      await delay(everyMs, undefined, { signal }).catch(() => undefined);
    }
  }

  const ended = run();
  return {
    stop: async () => {
      stopping.abort();
      await ended;
    },
  };
}
