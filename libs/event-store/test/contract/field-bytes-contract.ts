import type { Bucket, Event } from '@assay/domain';
import type { EventStore } from '../../src/event-store.js';
import { batchOf, newProject, rowOf, sampleEvent, writeEvents } from '../event-fixture.js';

/** Stored bytes of single fields. */
export function fieldBytesContract(store: () => EventStore): void {
  async function read(event: Event, field: Bucket): Promise<string | undefined> {
    const located = await store().events.locateField(event.project_id, event.event_id, field);
    if (located === undefined) return undefined;
    const parts: Buffer[] = [];
    for (let from = 0; from < located.bytes; from += 1_000)
      parts.push(await store().events.fieldBytes(event.project_id, located, { from, length: 1_000 }));
    const bytes = Buffer.concat(parts);
    expect(located.whole).toEqual(bytes.length > 65_536 ? undefined : bytes);
    return bytes.toString();
  }

  it('are the JSON text of the field, byte for byte and in parts', async () => {
    const event = sampleEvent({
      project_id: newProject(),
      inputs: { text: `${'ä😀\u0000'.repeat(999)}"\\`, big: 1e300 },
      outputs: {},
      metadata: { a: [1, null, 'x\ny'] },
      config: { prompt: 'ä'.repeat(40_000) },
      start_time: 0.5,
    });
    await writeEvents(store(), [event]);
    expect(await read(event, 'inputs')).toBe(JSON.stringify(event.inputs).replaceAll('\\u0000', '\ufffd'));
    expect(await read(event, 'outputs')).toBe('{}');
    expect(await read(event, 'config')).toBe(JSON.stringify(event.config));
    expect(await read(event, 'metadata')).toBe(JSON.stringify(event.metadata));
  });

  it('have a version that grows with the event, and are not read of an older one', async () => {
    const event = sampleEvent({ project_id: newProject() });
    await writeEvents(store(), [event]);
    const [projectId, eventId] = [event.project_id, event.event_id];
    const before = await store().events.locateField(projectId, eventId, 'outputs');
    expect(before?.version).toBe(1);
    await store().writer.write(batchOf({ rows: [rowOf({ ...event, outputs: { answer: 'other' } }, 7)] }));
    const whole = { from: 0, length: 100 };
    await expect(store().events.fieldBytes(projectId, before!, whole)).rejects.toMatchObject({
      code: 'CONFLICT',
    });
    expect((await store().events.locateField(projectId, eventId, 'outputs'))?.version).toBe(7);
    expect(await read(event, 'outputs')).toBe('{"answer":"other"}');
  });

  it('of deleted events, and of events of other projects, are unknown', async () => {
    const event = sampleEvent({ project_id: newProject() });
    await writeEvents(store(), [event]);
    expect(await read({ ...event, project_id: newProject() }, 'inputs')).toBeUndefined();
    expect(await read({ ...event, event_id: 'no id' }, 'inputs')).toBeUndefined();
    const { project_id: projectId, event_id: eventId, session_id: sessionId, start_time: startTime } = event;
    const located = await store().events.locateField(projectId, eventId, 'inputs');
    await expect(
      store().events.fieldBytes(newProject(), located!, { from: 0, length: 10 }),
    ).rejects.toMatchObject({
      code: 'CONFLICT',
    });
    const tombstone = { projectId, eventId, sessionId, startTime, version: 9 };
    await store().writer.write(batchOf({ tombstones: [tombstone] }));
    expect(await read(event, 'inputs')).toBeUndefined();
  });
}
