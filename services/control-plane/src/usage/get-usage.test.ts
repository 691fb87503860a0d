import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { forwardedSession } from '@assay/control-plane-client/test/control-plane-contract';
import { openEmbeddedDocumentStore } from '@assay/document-store';
import { SESSION_COLLECTION, type SessionFields } from '../sessions/session-document.js';
import { upsertSessions } from '../sessions/upsert-sessions.js';
import { toSummary } from '../sessions/stored-summary.js';
import { usageKey } from '../sessions/usage-key.js';
import { makeGetUsage } from './get-usage.js';

const NOW = new Date('2026-09-22T00:00:00Z');
const PROJECT = 'p1';

describe('usage from the index of sessions', () => {
  it('counts each session once, with equal and with different keys, new and of earlier releases', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'assay-usage-'));
    const store = await openEmbeddedDocumentStore({ dir });
    const sessions = await store.collection<SessionFields>(SESSION_COLLECTION);
    const stored = Array.from({ length: 12 }, (_, n) =>
      forwardedSession(PROJECT, n + 1, {
        session_id: `00000000-0000-4000-8000-0000000000${String(n).padStart(2, '0')}`,
        days: [{ day: '2026-09-21', num_events: n < 7 ? 2 : n, num_model_events: 1 }],
      }),
    );
    await upsertSessions(sessions, stored);
    const [older] = await sessions.getAll([`${PROJECT}:${stored[3]?.summary.session_id}`]);
    if (!older) throw new Error('the session is not stored');
    await sessions.replaceAll([
      { ...older, usage_key: `${older.usage_key},${stored[3]?.summary.session_id}` },
    ]);
    const wanted = stored.reduce((sum, { summary }) => sum + (summary.days[0]?.num_events ?? 0), 0);
    for (const pageSize of [1, 2, 3, 5, 100]) {
      const getUsage = makeGetUsage({ sessions, now: () => NOW, pageSize });
      const { days } = await getUsage({ query: {} }, { caller: { projectId: PROJECT } });
      expect(days).toMatchObject([{ day: '2026-09-21', num_events: wanted, num_sessions: 12 }]);
    }
    await store.close();
    rmSync(dir, { recursive: true });
  });

  it('has no cost of a day when the cost of one session is unknown, with the models of all', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'assay-usage-'));
    const store = await openEmbeddedDocumentStore({ dir });
    const sessions = await store.collection<SessionFields>(SESSION_COLLECTION);
    const day = { day: '2026-09-21', num_events: 2, num_model_events: 1, num_errors: 0 };
    const amounts = { prompt_tokens: 1, completion_tokens: 0, total_tokens: 1, cost: 1 };
    const many = Array.from(
      { length: 20 },
      (_, n) => `a model with a long name ${String(n).padStart(2, '0')}`,
    );
    const lists = [['b, with a comma', 'é'], [], many, ['a model', 'b, with a comma']];
    const stored = lists.map((unpriced_models, n) =>
      forwardedSession(PROJECT, n + 1, {
        session_id: `00000000-0000-4000-8000-00000000000${n}`,
        days: [{ ...day, ...amounts, ...(unpriced_models.length > 0 && { cost: null, unpriced_models }) }],
      }),
    );
    await upsertSessions(sessions, stored);
    const getUsage = makeGetUsage({ sessions, now: () => NOW });
    const { days, total } = await getUsage({ query: {} }, { caller: { projectId: PROJECT } });
    const unpriced_models = ['a model', ...many].slice(0, 20);
    expect(days).toMatchObject([
      { day: day.day, num_events: 8, prompt_tokens: 4, cost: null, unpriced_models },
    ]);
    expect(total).toMatchObject({ cost: null, unpriced_models });
    const documents = await sessions.getAll(stored.map(({ summary }) => `${PROJECT}:${summary.session_id}`));
    const listed = documents.map((document) => toSummary(document.id, document).days);
    expect(listed).toEqual(stored.map(({ summary }) => summary.days));
    await store.close();
    rmSync(dir, { recursive: true });
  });

  it('has a key without the id of the session', () => {
    const { summary } = forwardedSession(PROJECT, 1, {
      days: [{ day: '2026-09-21', num_events: 2, num_model_events: 1 }],
    });
    expect(usageKey(summary, true)).not.toContain(summary.session_id);
  });
});
