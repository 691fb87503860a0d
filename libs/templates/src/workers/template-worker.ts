import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { TemplateCache } from '../template-cache.js';
import { TemplateError } from '../template-error.js';
import type {
  BatchDone,
  JobBatch,
  JobOutcome,
  TemplateJob,
  WorkerReady,
  WorkerSettings,
} from './messages.js';
import { ownCpuClock, ownThreadId } from './thread-cpu.js';

/** Program of a worker thread: parses and renders the templates that it is sent. */
function main(port: MessagePort, { begun, sliceMs }: WorkerSettings): void {
  const templates = new TemplateCache();
  const clocks = { elapsed: () => performance.now(), cpu: ownCpuClock() };

  port.on('message', ({ jobs }: JobBatch) => {
    const startedAt = performance.now();
    const outcomes: JobOutcome[] = [];
    for (const job of jobs) {
      Atomics.store(begun, 0, outcomes.length + 1);
      outcomes.push(outcomeOf(job));
      if (performance.now() - startedAt > sliceMs) break;
    }
    port.postMessage({ outcomes } satisfies BatchDone);
  });
  port.postMessage({ osThreadId: ownThreadId() } satisfies WorkerReady);

  function outcomeOf({ source, variables }: TemplateJob): JobOutcome {
    try {
      const template = templates.get(source);
      if (variables === undefined) return { text: '' };
      return { text: template.render(variables, { clocks }) };
    } catch (error) {
      if (error instanceof TemplateError) return { mistake: error.message, line: error.line };
      return { internal: error instanceof Error ? error.name : 'unknown' };
    }
  }
}

if (parentPort) main(parentPort, workerData as WorkerSettings);
