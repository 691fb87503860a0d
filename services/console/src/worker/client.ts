import { requireSignIn } from '../api/signed-out.js';
import { startWorker } from './asset-url.js';
import { fromSentError, type WorkerRequest, type WorkerResponse } from './calls.js';

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly project: string | undefined;
}

type Functions = Readonly<Record<string, (request: never) => unknown>>;
type RequestOf<Functions_ extends Functions, Name extends keyof Functions_> = Parameters<Functions_[Name]>[0];
type ResultOf<Functions_ extends Functions, Name extends keyof Functions_> = Awaited<
  ReturnType<Functions_[Name]>
>;

const clients = new Set<{ stop(): void }>();

/** Ends every worker, and with it all that it has in memory. The next call starts a new one. */
export function stopWorkers(): void {
  for (const client of clients) client.stop();
}

/** Calls functions of a worker, which starts with the first call. */
export class WorkerClient<All extends Functions> {
  private worker: Worker | undefined;
  private lastId = 0;
  private readonly waiting = new Map<number, Waiting>();

  constructor(private readonly url: string) {
    clients.add(this);
  }

  /** @throws what the function in the worker throws; a refused key also asks for another one */
  call<Name extends keyof All & string>(
    name: Name,
    request: RequestOf<All, Name>,
  ): Promise<ResultOf<All, Name>> {
    this.worker ??= this.start();
    const id = ++this.lastId;
    const project = projectOf(request);
    const result = new Promise<unknown>((resolve, reject) =>
      this.waiting.set(id, { resolve, reject, project }),
    );
    this.worker.postMessage({ id, name, request } satisfies WorkerRequest);
    return result as Promise<ResultOf<All, Name>>;
  }

  stop(): void {
    this.fail(new Error('the worker was ended'));
  }

  private start(): Worker {
    const worker = startWorker(this.url);
    worker.addEventListener('message', ({ data }: MessageEvent<WorkerResponse>) => this.settle(data));
    worker.addEventListener('error', () => this.fail(new Error('the worker could not be started')));
    return worker;
  }

  private settle(response: WorkerResponse): void {
    const one = this.waiting.get(response.id);
    this.waiting.delete(response.id);
    if ('result' in response) return one?.resolve(response.result);
    if (response.failure.status === 401 && one?.project !== undefined) requireSignIn(one.project);
    one?.reject(fromSentError(response.failure));
  }

  /** A worker that broke is replaced with the next call. */
  private fail(error: Error): void {
    this.worker?.terminate();
    this.worker = undefined;
    for (const { reject } of this.waiting.values()) reject(error);
    this.waiting.clear();
  }
}

function projectOf(request: unknown): string | undefined {
  const project = (request as { readonly project?: unknown }).project;
  return typeof project === 'string' ? project : undefined;
}
