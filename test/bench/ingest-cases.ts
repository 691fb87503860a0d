import { join } from 'node:path';
import { repository } from '../harness/stack/repository.js';
import { otlpBody } from './otlp-body.js';
import { Prose, seeded } from './prose.js';
import { SPANS_PER_TRACE, traceBody } from './trace-body.js';

export interface IngestCase {
  readonly name: string;
  readonly requests: number;
  readonly spansPerRequest: number;
  readonly spanBytes: number;
  /** Requests of the warm-up, which ends after the JIT compiler is done. */
  readonly warmUp: number;
  /** With the settings of a start without configuration; otherwise events are not forwarded. */
  readonly isDefault?: boolean;
  /** Spans as instrumentations send them; otherwise all are chat calls of one trace. */
  readonly asTraces?: boolean;
}

/** The bodies of a case, made before anything is measured. */
export interface IngestLoad {
  readonly of: IngestCase;
  readonly events: number;
  readonly warmUp: readonly Buffer[];
  readonly bodies: readonly Buffer[];
}

const [SMALL, LARGE] = [2_000, 20_000];
const TRACES = { requests: 400, spansPerRequest: 100, spanBytes: SMALL, warmUp: 400, asTraces: true };

export const INGEST_CASES: readonly IngestCase[] = [
  { name: 'default settings, traces of 2 KB', ...TRACES, isDefault: true },
  { name: 'not forwarded, traces of 2 KB', ...TRACES },
  { name: 'OTLP, 100 spans of 2 KB', requests: 400, spansPerRequest: 100, spanBytes: SMALL, warmUp: 400 },
  { name: 'OTLP, 100 spans of 20 KB', requests: 60, spansPerRequest: 100, spanBytes: LARGE, warmUp: 90 },
  { name: 'OTLP, 500 spans of 2 KB', requests: 80, spansPerRequest: 500, spanBytes: SMALL, warmUp: 60 },
  { name: 'OTLP, 1 span of 2 KB', requests: 10_000, spansPerRequest: 1, spanBytes: SMALL, warmUp: 10_000 },
];

/** Share of each load that is sent, so that a comparison of two commits need not take as long as a full run. */
const SCALE = Number(process.env.ASSAY_BENCH_SCALE ?? 1);

/** Returns the load of a case, or the share of it that `ASSAY_BENCH_SCALE` sets. */
export function makeLoad(of: IngestCase): IngestLoad {
  const prose = new Prose(join(repository, 'node_modules'), seeded(of.spanBytes));
  const body = () =>
    of.asTraces
      ? traceBody(prose, of.spansPerRequest / SPANS_PER_TRACE, of.spanBytes)
      : otlpBody(prose, of.spansPerRequest, of.spanBytes);
  const bodies = (count: number) => Array.from({ length: Math.ceil(count * SCALE) }, body);
  const load = { of, warmUp: bodies(of.warmUp), bodies: bodies(of.requests) };
  return { ...load, events: load.bodies.length * of.spansPerRequest };
}
