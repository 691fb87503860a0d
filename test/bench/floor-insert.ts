import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { acceptEvent } from '@assay/domain';
import { createChdbEventStore } from '@assay/event-store/chdb';
import { encodeEventRow } from '@assay/event-rows';
import { randomUUID } from 'node:crypto';
import { repository } from '../harness/stack/repository.js';
import { Prose, seeded } from './prose.js';

/**
 * The floor of storing: ready rows into the tables in large blocks, nothing else. Prints microseconds of CPU per row, with
 * the merges that follow. Arguments: bytes per event, rows.
 */
const BLOCK = 5_000;
const MERGE_TAIL_MS = 2_000;

async function main(size: number, count: number): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'assay-floor-'));
  const store = createChdbEventStore({ dir });
  await store.administration.migrate();
  const prose = new Prose(join(repository, 'node_modules'), seeded(1));
  const rows = Array.from({ length: count }, (_, version) => ({
    bytes: encodeEventRow(eventOf(prose, size)),
    version,
  }));
  const before = process.cpuUsage();
  for (let first = 0; first < count; first += BLOCK) {
    await store.writer.write({
      rows: rows.slice(first, first + BLOCK),
      tombstones: [],
      changes: [],
      token: `floor-${first}`,
    });
  }
  await new Promise((resume) => setTimeout(resume, MERGE_TAIL_MS));
  const { user, system } = process.cpuUsage(before);
  process.stdout.write(JSON.stringify({ microsecondsPerRow: (user + system) / count }));
  await store.administration.close();
  rmSync(dir, { recursive: true, force: true });
}

function eventOf(prose: Prose, size: number) {
  const message = (role: string, share: number) => ({ role, content: prose.text(size * share) });
  const input = {
    event_type: 'model' as const,
    event_name: 'chat gpt-4o',
    inputs: { chat_history: [message('system', 0.2), message('user', 0.2)] },
    outputs: message('assistant', 0.25),
    config: { model: 'gpt-4o', provider: 'openai', temperature: 0.7, max_tokens: 1024 },
    metadata: {
      prompt_tokens: 412,
      completion_tokens: 96,
      response_id: randomUUID(),
      trace_id: randomUUID(),
      span_id: '0123456789abcdef',
    },
  };
  return acceptEvent(input, { projectId: 'bench', now: Date.now(), newId: randomUUID }).event;
}

void main(Number(process.argv[2]), Number(process.argv[3]));
