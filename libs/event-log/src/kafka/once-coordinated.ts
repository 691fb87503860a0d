import { setTimeout as wait } from 'node:timers/promises';
import { protocolTypeOf } from './kafka-failure.js';

/** A broker gives these while the coordinator of a group moves or loads, as after the first use of a cluster. */
const MOVING = new Set([
  'GROUP_LOAD_IN_PROGRESS',
  'GROUP_COORDINATOR_NOT_AVAILABLE',
  'NOT_COORDINATOR_FOR_GROUP',
]);
const PAUSE_MS = 200;

/** Repeats a request while the coordinator of its group is not known yet, at most for `ms`. The client repeats only its search for the coordinator. */
export async function onceCoordinated<T>(request: () => Promise<T>, ms: number): Promise<T> {
  for (let waitedMs = 0; ; waitedMs += PAUSE_MS)
    try {
      return await request();
    } catch (error) {
      if (waitedMs >= ms || !MOVING.has(protocolTypeOf(error) ?? '')) throw error;
      await wait(PAUSE_MS);
    }
}
