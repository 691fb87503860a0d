import { randomUUID } from 'node:crypto';
import { acceptEvent, acceptRedaction, redactEvent, type Caller, type Event } from '@assay/domain';
import type { ControlPlane, ForwardedEvent } from '../src/control-plane.js';
import { issuedKey } from './issued-key.js';

/** A control plane with one key that works and some that do not any more. */
export interface ControlPlaneUnderTest {
  readonly controlPlane: ControlPlane;
  readonly key: string;
  /** Whom `key` belongs to. */
  readonly caller: Caller;
  /** Keys that were revoked or have expired. */
  readonly endedKeys: readonly string[];
  /** What has been kept of an event of the caller's project; undefined when there is nothing, or it was deleted. */
  kept(eventId: string): Promise<KeptEvent | undefined>;
  /** From now on the control plane cannot be asked. */
  goAway(): Promise<void>;
  stop(): Promise<void>;
}

/** The part of a kept event that the tests look at. */
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

/** What every adapter of the control plane must do. `start` makes a new one for each test. */
export function describeControlPlane(title: string, start: () => Promise<ControlPlaneUnderTest>): void {
  describe(`${title}: a control plane`, () => {
    let tested: ControlPlaneUnderTest;
    beforeEach(async () => {
      tested = await start();
    });
    afterEach(() => tested.stop());

    it('knows whom a key belongs to, and says no more than that', async () => {
      expect(await tested.controlPlane.authenticate(tested.key)).toEqual(tested.caller);
    });

    it('does not know a revoked or expired key', async () => {
      expect(tested.endedKeys.length).toBeGreaterThan(0);
      for (const key of tested.endedKeys) expect(await tested.controlPlane.authenticate(key)).toBeUndefined();
    });

    it('does not know a key that it never issued', async () => {
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

    it('answers many questions at once', async () => {
      const answers = await Promise.all(
        Array.from({ length: 50 }, () => tested.controlPlane.authenticate(tested.key)),
      );
      expect(answers).toEqual(Array.from({ length: 50 }, () => tested.caller));
    });

    describe('told of events', () => {
      const event = (version: number, fields: Partial<Event> = {}) =>
        forwardedEvent(tested.caller.projectId, version, fields);
      const remove = (eventId: string, version: number): ForwardedEvent => {
        return { kind: 'delete', version, projectId: tested.caller.projectId, eventId };
      };
      const tell = (...batch: ForwardedEvent[]) => tested.controlPlane.forwardEvents(batch);

      it('keeps them, with keys such as __proto__', async () => {
        const metrics = JSON.parse('{"__proto__":1,"constructor":{"a.b":2},"score":0.5}') as Event['metrics'];
        const [one, other] = [event(1, { event_name: 'one', metrics }), event(2, { event_name: 'other' })];
        await tell(one, other);
        expect(await tested.kept(one.event.event_id)).toMatchObject({ version: 1, eventName: 'one' });
        expect(JSON.stringify((await tested.kept(one.event.event_id))?.metrics)).toBe(
          JSON.stringify(metrics),
        );
        expect(await tested.kept(other.event.event_id)).toMatchObject({ version: 2, eventName: 'other' });
      });

      it('keeps the newest of what it is told, in any order and however often', async () => {
        const event_id = randomUUID();
        const versions = [3, 1, 2, 3, 1].map((version) =>
          event(version, { event_id, event_name: `v${version}` }),
        );
        for (const version of versions) await tell(version);
        expect(await tested.kept(event_id)).toMatchObject({ version: 3, eventName: 'v3' });
        const another = randomUUID();
        await tell(
          ...[3, 1, 2].map((version) => event(version, { event_id: another, event_name: `v${version}` })),
        );
        expect(await tested.kept(another)).toMatchObject({ version: 3, eventName: 'v3' });
      });

      it('keeps what was deleted deleted', async () => {
        const { event: told } = event(1);
        await tell({ ...event(1), event: told });
        await tell(remove(told.event_id, 2));
        await tell({ ...event(1), event: told });
        expect(await tested.kept(told.event_id)).toBeUndefined();
        const early = randomUUID();
        await tell(remove(early, 5), event(4, { event_id: early }));
        expect(await tested.kept(early)).toBeUndefined();
      });

      it('lets a deleted session take its events with it, also those that come later', async () => {
        const session_id = randomUUID();
        const [before, after, other] = [event(1, { session_id }), event(3, { session_id }), event(4)];
        await tell(before, other, remove(session_id, 2), after);
        await tell(before, after);
        expect(await tested.kept(before.event.event_id)).toBeUndefined();
        expect(await tested.kept(after.event.event_id)).toBeUndefined();
        expect(await tested.kept(other.event.event_id)).toMatchObject({ version: 4 });
      });

      it('takes none, and many at once', async () => {
        await tell();
        const many = Array.from({ length: 1_200 }, (_, index) => event(index, { event_name: `n${index}` }));
        await tell(...many);
        expect(await tested.kept(many[0]!.event.event_id)).toMatchObject({ eventName: 'n0' });
        expect(await tested.kept(many[1_199]!.event.event_id)).toMatchObject({ eventName: 'n1199' });
      });

      it('is UNAVAILABLE when it cannot be told', async () => {
        const one = event(1);
        await tested.goAway();
        await expect(tell(one)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
      });
    });

    it('keeps the first of the requests under a key, and tells it', async () => {
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
      await tested.goAway();
      await expect(tested.controlPlane.claimRequest(claim('a', 'c', 5))).rejects.toMatchObject({
        code: 'UNAVAILABLE',
      });
    });

    it('answers a check', async () => {
      await expect(tested.controlPlane.check()).resolves.toBeUndefined();
    });

    it('is UNAVAILABLE, and never takes a key for unknown, when it cannot be asked', async () => {
      await tested.goAway();
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
