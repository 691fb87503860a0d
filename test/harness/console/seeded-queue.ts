import type { Stack } from '../stack/stack.js';
import { anEventOf, aSession, eventId, sendEvents } from './seeded-sessions.js';

/** What the tests of annotation send and read by the routes that clients use. */
export class QueueApi {
  constructor(private readonly stack: Pick<Stack, 'baseUrl' | 'apiKey'>) {}

  /** @throws Error when the request is refused */
  async call<Body>(method: string, path: string, body?: object): Promise<Body> {
    const response = await fetch(`${this.stack.baseUrl}${path}`, {
      method,
      // What was written before is read.
      headers: {
        Authorization: `Bearer ${this.stack.apiKey}`,
        ...{ 'Content-Type': 'application/json', Prefer: 'wait=30' },
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Body;
  }

  async metric(name: string, fields: object): Promise<string> {
    const body = { name, type: 'HUMAN', criteria: `Judge ${name}.`, ...fields };
    return (await this.call<{ metric_id: string }>('POST', '/v1/metrics', body)).metric_id;
  }

  async queue(fields: object): Promise<string> {
    return (await this.call<{ queue: { id: string } }>('POST', '/v1/queues', fields)).queue.id;
  }

  lease(queue: string, annotator: string) {
    return this.call<{ item: Item | null }>('POST', `/v1/queues/${queue}/next`, { annotator });
  }

  release(queue: string, id: string, annotator: string) {
    return this.call<Item>('DELETE', `/v1/queues/${queue}/events/${id}/lease?annotator=${annotator}`);
  }

  items(queue: string, status = '') {
    return this.call<{ events: Item[]; counts: Record<string, number> }>(
      'GET',
      `/v1/queues/${queue}/events?limit=200${status && `&status=${status}`}`,
    );
  }

  async feedback(id: string): Promise<Readonly<Record<string, unknown>>> {
    const found = await this.call<{ event: { feedback: Record<string, unknown> } }>(
      'GET',
      `/v1/events/${id}`,
    );
    return found.event.feedback;
  }
}

export interface Item {
  readonly event_id: string;
  readonly status: string;
  readonly annotator: string | null;
  readonly annotators?: readonly string[];
  readonly lease: { readonly annotator: string } | null;
  readonly comment: string | null;
  readonly reason: string | null;
  readonly event?: { readonly metrics: Record<string, unknown>; readonly feedback: Record<string, unknown> };
}

/** Sends questions with answers, each a model call in a session of its own, and returns the ids of the calls. */
export async function seedAnswers(
  stack: Stack,
  ids: { readonly from: number; readonly count: number },
  fields: object = {},
): Promise<string[]> {
  const calls = Array.from({ length: ids.count }, (_, nth) => eventId(ids.from + 2 * nth));
  const events = calls.flatMap((id, nth) => {
    const session = eventId(ids.from + 2 * nth + 1);
    return [
      aSession(session, `question ${nth}`, 900, { inputs: { question: `Where is order ${nth}?` } }),
      anEventOf(session, 10, 800, {
        ...{ event_id: id, event_type: 'model', event_name: `answer ${nth}`, metrics: { judge: 0.35 } },
        inputs: { chat_history: [{ role: 'user', content: `Where is order ${nth}?` }] },
        outputs: { role: 'assistant', content: `Order ${nth} was shipped on 3 May.` },
        feedback: { ground_truth: `order ${nth}: 4 May` },
        ...fields,
      }),
    ];
  });
  await sendEvents(stack, events);
  return calls;
}
