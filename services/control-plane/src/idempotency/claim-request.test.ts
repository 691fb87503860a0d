import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedDocumentStore } from '@assay/document-store';
import { makeClaimRequest, REQUEST_COLLECTION, type RequestFields } from './claim-request.js';

const DAY = 24 * 3_600_000;
const NOW = 1_795_000_000_000;

describe('an idempotency key', () => {
  const dir = mkdtempSync(join(tmpdir(), 'assay-claims-'));
  const opened = openEmbeddedDocumentStore({ dir });
  const collection = opened.then((store) => store.collection<RequestFields>(REQUEST_COLLECTION));
  const claimed = async () => makeClaimRequest(await collection);
  const claim = (key: string, content: string, at = NOW) => ({ projectId: 'p', key, content, at });
  afterAll(async () => {
    await (await opened).close();
    rmSync(dir, { recursive: true, force: true });
  });

  test('belongs to its first request, in every process', async () => {
    const [one, other] = [await claimed(), await claimed()];
    expect(await one(claim('a', 'first'))).toEqual({ content: 'first', at: NOW });
    expect(await other(claim('a', 'second', NOW + 5))).toEqual({ content: 'first', at: NOW });
    expect(await other({ ...claim('a', 'second'), projectId: 'q' })).toMatchObject({ content: 'second' });
  });

  test('belongs to exactly one of several concurrent requests', async () => {
    const ask = await claimed();
    const firsts = await Promise.all(
      Array.from({ length: 20 }, (_, i) => ask(claim('b', `content ${i}`, NOW + i))),
    );
    expect(new Set(firsts.map(({ content }) => content)).size).toBe(1);
  });

  test('expires after 24 hours and is then deleted', async () => {
    const ask = await claimed();
    await ask(claim('c', 'first'));
    expect(await ask(claim('c', 'second', NOW + DAY - 1))).toMatchObject({ content: 'first' });
    expect(await ask(claim('c', 'second', NOW + DAY))).toMatchObject({ content: 'second' });
    await (
      await claimed()
    )(claim('d', 'later', NOW + 3 * DAY));
    const kept = await (await collection).list({ equals: {}, orderBy: 'at', limit: 100 });
    expect(kept.map(({ id }) => id)).toEqual(['p/d']);
  });
});
