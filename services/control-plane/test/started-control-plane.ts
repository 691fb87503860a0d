import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DocumentStore, openEmbeddedDocumentStore } from '@assay/document-store';
import type { LogFields } from '@assay/runtime';
import { composeControlPlane, type ControlPlaneParts } from '../src/compose.js';
import { administrationOperations } from './administration-operations.js';
import { createTemplateWorkers } from '@assay/templates';

/** Control plane on an embedded store, with a clock that the test sets. */
export interface StartedControlPlane extends ControlPlaneParts {
  readonly documents: DocumentStore;
  readonly dir: string;
  readonly audited: { phrase: string; fields: LogFields }[];
  readonly clock: { time: number };
  readonly operations: ReturnType<typeof administrationOperations>;
  stop(): Promise<void>;
}

export async function startControlPlane(): Promise<StartedControlPlane> {
  const dir = mkdtempSync(join(tmpdir(), 'assay-control-plane-'));
  const documents = await openEmbeddedDocumentStore({ dir });
  const clock = { time: Date.parse('2026-11-01T00:00:00Z') };
  const audited: StartedControlPlane['audited'] = [];
  const logger = {
    warn: () => undefined,
    info: (phrase: string, fields: LogFields = {}) => void audited.push({ phrase, fields }),
  };
  const parts = await composeControlPlane({
    templates: createTemplateWorkers(),
    documents,
    pepper: 'p'.repeat(32),
    now: () => new Date(clock.time),
    logger,
  });
  const stop = async () => {
    await documents.close();
    rmSync(dir, { recursive: true, force: true });
  };
  return { ...parts, operations: administrationOperations(parts), documents, dir, audited, clock, stop };
}
