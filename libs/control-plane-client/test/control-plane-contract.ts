import { randomUUID } from 'node:crypto';
import {
  acceptEvent,
  acceptRedaction,
  redactEvent,
  type Caller,
  type Event,
  type MetricRule,
} from '@assay/domain';
import type { ControlPlane, ForwardedEvent } from '../src/control-plane.js';
import { issuedKey } from './issued-key.js';

/** A control plane with one valid key and some that were revoked or have expired. */
export interface ControlPlaneUnderTest {
  readonly controlPlane: ControlPlane;
  readonly key: string;
  /** Whom `key` belongs to. */
  readonly caller: Caller;
  /** Keys that were revoked or have expired. */
  readonly endedKeys: readonly string[];
  /** Returns the stored state of an event of the caller's project; undefined when there is none or it was deleted. */
  kept(eventId: string): Promise<KeptEvent | undefined>;
  /** A run with 70,000 sessions, and rules: one of an active, one of a deleted metric. */
  readonly run: { readonly id: string; readonly rules: readonly MetricRule[] };
  /** Makes the control plane unreachable from now on. */
  disconnect(): Promise<void>;
  stop(): Promise<void>;
}

/** The part of a stored event that the tests check. */
export interface KeptEvent {
  readonly version: number;
  readonly eventName: string;
  readonly metrics: unknown;
}

/** An event as the data plane forwards it. */
export function forwardedEvent(
  projectId: string,
  version: number,
  fields: Partial<Event> = {},
): ForwardedEvent & { kind: 'event' } {
  const context = { projectId, now: 1_790_000_000_000, newId: randomUUID };
  const { event } = acceptEvent({ event_type: 'model', inputs: { question: 'q' } }, context);
  const redacted = redactEvent({ ...event, ...fields }, acceptRedaction({ redactValues: true }));
  return { kind: 'event', version, arrivedAt: context.now, event: redacted };
}

/** The contract of every adapter of the control plane. `start` makes a new one for each test. */
export function describeControlPlane(title: string, start: () => Promise<ControlPlaneUnderTest>): void {
  describe(`${title}: a control plane`, () => {
    let tested: ControlPlaneUnderTest;
    beforeEach(async () => {
      tested = await start();
    });
    afterEach(() => tested.stop());

    it('returns the caller of a key, and nothing else', async () => {
      expect(await tested.controlPlane.authenticate(tested.key)).toEqual(tested.caller);
    });

    it('finds no caller for a revoked or expired key', async () => {
      expect(tested.endedKeys.length).toBeGreaterThan(0);
      for (const key of tested.endedKeys) expect(await tested.controlPlane.authenticate(key)).toBeUndefined();
    });

    it('finds no caller for a key that was never issued', async () => {
      const changed = tested.key.slice(0, -1) + (tested.key.endsWith('0') ? '1' : '0');
      const hostile = [
        '',
        ' ',
        'x'.repeat(400),
        'é\u{1F600}\0\r\nX: y',
        '{"$ne": null}',
        '__proto__',
        'constructor'.repeat(3),
      ];
      for (const key of [changed, issuedKey('project').text, issuedKey('ingest').text, ...hostile]) {
        expect(await tested.controlPlane.authenticate(key)).toBeUndefined();
      }
    });

    it('responds to many concurrent look-ups', async () => {
      const callers = await Promise.all(
        Array.from({ length: 50 }, () => tested.controlPlane.authenticate(tested.key)),
      );
      expect(callers).toEqual(Array.from({ length: 50 }, () => tested.caller));
    });

    describe('receiving events', () => {
      const event = (version: number, fields: Partial<Event> = {}) =>
        forwardedEvent(tested.caller.projectId, version, fields);
      const remove = (eventId: string, version: number): ForwardedEvent => {
        return { kind: 'delete', version, projectId: tested.caller.projectId, eventId };
      };
      const forward = (...batch: ForwardedEvent[]) => tested.controlPlane.forwardEvents(batch);

      it('stores them, with keys such as __proto__', async () => {
        const metrics = JSON.parse('{"__proto__":1,"constructor":{"a.b":2},"score":0.5}') as Event['metrics'];
        const [one, other] = [event(1, { event_name: 'one', metrics }), event(2, { event_name: 'other' })];
        await forward(one, other);
        expect(await tested.kept(one.event.event_id)).toMatchObject({ version: 1, eventName: 'one' });
        expect(JSON.stringify((await tested.kept(one.event.event_id))?.metrics)).toBe(
          JSON.stringify(metrics),
        );
        expect(await tested.kept(other.event.event_id)).toMatchObject({ version: 2, eventName: 'other' });
      });

      it('stores the newest state, in any order and however often it is forwarded', async () => {
        const event_id = randomUUID();
        const versions = [3, 1, 2, 3, 1].map((version) =>
          event(version, { event_id, event_name: `v${version}` }),
        );
        for (const version of versions) await forward(version);
        expect(await tested.kept(event_id)).toMatchObject({ version: 3, eventName: 'v3' });
        const another = randomUUID();
        await forward(
          ...[3, 1, 2].map((version) => event(version, { event_id: another, event_name: `v${version}` })),
        );
        expect(await tested.kept(another)).toMatchObject({ version: 3, eventName: 'v3' });
      });

      it('never restores a deleted event', async () => {
        const { event: created } = event(1);
        await forward({ ...event(1), event: created });
        await forward(remove(created.event_id, 2));
        await forward({ ...event(1), event: created });
        expect(await tested.kept(created.event_id)).toBeUndefined();
        const early = randomUUID();
        await forward(remove(early, 5), event(4, { event_id: early }));
        expect(await tested.kept(early)).toBeUndefined();
      });

      it('deletes the events of a deleted session, also those that arrive later', async () => {
        const session_id = randomUUID();
        const [before, after, other] = [event(1, { session_id }), event(3, { session_id }), event(4)];
        await forward(before, other, remove(session_id, 2), after);
        await forward(before, after);
        expect(await tested.kept(before.event.event_id)).toBeUndefined();
        expect(await tested.kept(after.event.event_id)).toBeUndefined();
        expect(await tested.kept(other.event.event_id)).toMatchObject({ version: 4 });
      });

      it('accepts an empty batch and a large one', async () => {
        await forward();
        const many = Array.from({ length: 1_200 }, (_, index) => event(index, { event_name: `n${index}` }));
        await forward(...many);
        expect(await tested.kept(many[0]!.event.event_id)).toMatchObject({ eventName: 'n0' });
        expect(await tested.kept(many[1_199]!.event.event_id)).toMatchObject({ eventName: 'n1199' });
      });

      it('rejects with UNAVAILABLE while it is unreachable', async () => {
        const one = event(1);
        await tested.disconnect();
        await expect(forward(one)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
      });
    });

    it('reads runs with the rules for their scores, in the order of their ids', async () => {
      const { controlPlane, caller, run } = tested;
      const { projectId } = caller;
      const found = await controlPlane.runs({ projectId, runIds: [randomUUID(), run.id, run.id] });
      expect(found.runs.map(({ run_id }) => run_id)).toEqual([run.id]);
      expect(new Set(found.runs[0]?.event_ids).size).toBe(70_000);
      expect([...found.metrics].sort((a, b) => (a.name < b.name ? -1 : 1))).toEqual(run.rules);
      const ofOther = await controlPlane.runs({ projectId: 'another-project', runIds: [run.id] });
      expect(ofOther).toEqual({ runs: [], metrics: [] });
      await tested.disconnect();
      await expect(controlPlane.runs({ projectId, runIds: [run.id] })).rejects.toMatchObject({
        code: 'UNAVAILABLE',
      });
    });

    it('stores the first request under an idempotency key, and returns it to later ones', async () => {
      const { projectId } = tested.caller;
      const claim = (key: string, content: string, at: number) => ({
        projectId,
        key: key.repeat(64),
        content: content.repeat(64),
        at,
      });
      const first = { content: 'c'.repeat(64), at: 1_790_000_000_000 };
      expect(await tested.controlPlane.claimRequest(claim('a', 'c', first.at))).toEqual(first);
      expect(await tested.controlPlane.claimRequest(claim('a', 'd', first.at + 1))).toEqual(first);
      expect(await tested.controlPlane.claimRequest(claim('b', 'd', first.at))).toMatchObject({
        content: 'd'.repeat(64),
      });
      await tested.disconnect();
      await expect(tested.controlPlane.claimRequest(claim('a', 'c', 5))).rejects.toMatchObject({
        code: 'UNAVAILABLE',
      });
    });

    it('responds to a check', async () => {
      await expect(tested.controlPlane.check()).resolves.toBeUndefined();
    });

    it('rejects with UNAVAILABLE, and never treats a key as unknown, while it is unreachable', async () => {
      await tested.disconnect();
      await expect(tested.controlPlane.authenticate(tested.key)).rejects.toMatchObject({
        code: 'UNAVAILABLE',
      });
      await expect(tested.controlPlane.authenticate(issuedKey('ingest').text)).rejects.toMatchObject({
        code: 'UNAVAILABLE',
      });
      await expect(tested.controlPlane.check()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    });
  });
}
