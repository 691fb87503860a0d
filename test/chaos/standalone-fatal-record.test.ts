import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitFor } from '@assay/testing';
import { Client } from '../harness/stack/client.js';
import { onStack } from '../harness/stack/on-stack.js';
import { startStandalone } from '../harness/stack/start-standalone.js';
import { scrape } from '../overload/watch-process.js';

/** More than a batch in which every record is noted alone without marks. */
const EVENTS = 120;
const METRICS = 4;
const TEXT = 'a'.repeat(60_000);
const ATTEMPTS = 5;
const WITHIN = { withinMs: 240_000 };
/** A batch that is handled sooner than it is seen is sent again. */
const NOTED_WITHIN_MS = 60_000;
const POLL_INTERVAL_MS = 2;
const FATAL = 'assay_reader_fatal_records_total{group="evaluate"}';

/** What a process was handling: offsets, how often processes had ended before, and which event of these it was. */
type Handled = readonly [from: number, to: number, count: number, subject?: number];

interface DeadLetters {
  readonly dead_letters: {
    readonly offset: number;
    readonly error_class: string;
    readonly event_id: string;
  }[];
}

describe('a record during which the standalone process is killed', () => {
  const { stack } = onStack(() => startStandalone({ LOG_LEVEL: 'warn' }));

  it('is a dead letter after the second time, and no other record is', async () => {
    const client = new Client(stack);
    for (let index = 0; index < METRICS; index++) {
      const made = await client.post('/v1/metrics', slowMetric(index));
      expect(made.status).toBe(200);
    }
    const { killedDuring, sent } = await killTwice();
    await stack.start('standalone');
    const isCounted = async () => (await scrape(stack.adminUrl('standalone'), FATAL)) === 1;
    await waitFor('the record is a dead letter', isCounted, WITHIN);
    const listed = await client.call('GET', '/v1/dead-letters', { key: stack.adminToken });
    const letters = listed.json<DeadLetters>().dead_letters;
    expect(letters).toMatchObject([{ offset: killedDuring, error_class: 'PROCESS_ENDED' }]);
    const logged = readFileSync(join(stack.dir, 'standalone.log'), 'utf8');
    expect(logged.split('the process has ended twice while it handled a record')).toHaveLength(2);
    // The record may be that of a session, of which each event has one.
    const others = sent.filter((id) => id !== letters[0]?.event_id);
    for (const id of others)
      await waitFor('the others are decided about', () => isDecided(client, id), WITHIN);
    expect((await client.call('GET', `/v1/events/${letters[0]?.event_id ?? ''}`)).status).toBe(200);
    expect(await scrape(stack.adminUrl('standalone'), FATAL)).toBe(1);
  }, 600_000);

  /** Kills the process while it matches a batch, and the next one while it matches one event of it. */
  async function killTwice(): Promise<{ killedDuring: number; sent: readonly string[] }> {
    const sent: string[] = [];
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      sent.push(...(await sendBatch(new Client(stack))));
      const first = await killWhen(([from, to, count]) => count === 0 && to - from >= EVENTS);
      await stack.start('standalone');
      if (first === undefined) continue;
      const second = await killWhen(
        ([from, , count, subject]) => isWithin(first, from) && count === 1 && !!subject,
      );
      if (second !== undefined) return { killedDuring: second[0], sent };
      await stack.start('standalone');
    }
    throw new Error('no process was killed while it matched events');
  }

  /**
   * Kills the process as soon as it has noted this. Returns what it handled when it ended; undefined when that is something
   * else, because it has completed the batch before.
   */
  async function killWhen(isWanted: (handled: Handled) => boolean): Promise<Handled | undefined> {
    const deadline = performance.now() + NOTED_WITHIN_MS;
    while (!isWanted(handled()) && performance.now() < deadline)
      await new Promise((resume) => setTimeout(resume, POLL_INTERVAL_MS));
    await stack.kill('standalone');
    const last = handled();
    return isWanted(last) ? last : undefined;
  }

  /** Reads the note of the evaluator's reader. */
  function handled(): Handled {
    try {
      const note = readFileSync(join(stack.dir, 'data/log/handled-evaluate'));
      return (JSON.parse(note.toString('utf8', 8, 8 + note.readUInt32LE(4))) as Handled[])[0] ?? [0, 0, 0];
    } catch {
      return [0, 0, 0];
    }
  }
});

function isWithin([from, to]: Handled, offset: number): boolean {
  return from <= offset && offset < to;
}

function slowMetric(index: number) {
  const filter = {
    field: 'inputs.t',
    operator: 'not contains',
    value: `ab${'a'.repeat(998)}`,
    type: 'string',
  };
  return {
    ...{ name: `slow ${index}`, type: 'PYTHON', criteria: 'result = 1', enabled_in_prod: true },
    filters: { filterArray: Array.from({ length: 50 }, () => filter) },
  };
}

async function sendBatch(client: Client): Promise<readonly string[]> {
  const event = { event_type: 'tool', event_name: 'long', inputs: { t: TEXT } };
  const sent = await client.post('/v1/events/batch', { events: Array.from({ length: EVENTS }, () => event) });
  expect(sent.status).toBe(200);
  return sent.json<{ event_ids: string[] }>().event_ids;
}

async function isDecided(client: Client, eventId: string): Promise<boolean> {
  const listed = await client.call('GET', `/v1/events/${eventId}/evaluations`);
  if (listed.status !== 200) return false;
  return listed.json<{ evaluations: object[] }>().evaluations.length === METRICS;
}
