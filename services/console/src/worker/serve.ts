import { toSentError, type WorkerFunctions, type WorkerRequest, type WorkerResponse } from './calls.js';

/** Runs the functions of a worker for the page that started it. */
export function serveCalls(functions: WorkerFunctions): void {
  self.addEventListener('message', ({ data }: MessageEvent<WorkerRequest>) => {
    void respond(functions, data).then((response) => self.postMessage(response));
  });
}

async function respond(
  functions: WorkerFunctions,
  { id, name, request }: WorkerRequest,
): Promise<WorkerResponse> {
  try {
    return { id, result: await functions[name]?.(request as never) };
  } catch (error) {
    return { id, failure: toSentError(error) };
  }
}
