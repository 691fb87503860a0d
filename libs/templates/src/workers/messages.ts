/** A template to render, or only to parse. */
export interface TemplateJob {
  readonly source: string;
  /** Variables of the rendering; absent: the template is only parsed. */
  readonly variables?: object;
}

/** Sent to a worker: jobs of one project, which run in this order. */
export interface JobBatch {
  readonly jobs: readonly TemplateJob[];
}

/** Outcome of a job: the text of a rendering, empty for a parsed template; a mistake of the template; or an internal error. */
export type JobOutcome =
  | { readonly text: string }
  | { readonly mistake: string; readonly line: number | undefined }
  | { readonly internal: string };

/** Sent by a worker when it can take jobs. */
export interface WorkerReady {
  /** Id of the thread in the operating system, where it is known. */
  readonly osThreadId: number | undefined;
}

/** Sent by a worker when its time for a batch is over: outcomes of the first jobs, at least of one. */
export interface BatchDone {
  readonly outcomes: readonly JobOutcome[];
}

export interface WorkerSettings {
  /** Shared: the number of jobs of the batch that have begun. */
  readonly begun: Int32Array;
  /** Time after which a worker begins no further job of a batch, in milliseconds. */
  readonly sliceMs: number;
}
