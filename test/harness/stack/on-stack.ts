import { Client } from './client.js';
import type { Stack } from './stack.js';

/** Time for a start on real engines, and for a clean shutdown. */
const START_WITHIN_MS = 120_000;
const STOP_WITHIN_MS = 60_000;

/**
 * Starts a stack before the tests of the surrounding `describe`, and asserts a clean shutdown after them.
 * The returned stack and client can be used inside tests and hooks only.
 */
export function onStack(start: () => Promise<Stack>): { readonly stack: Stack; readonly client: Client } {
  let started: Stack | undefined;
  beforeAll(async () => {
    started = await start();
  }, START_WITHIN_MS);
  afterAll(async () => {
    expect(await started?.stop()).toBe(true);
  }, STOP_WITHIN_MS);
  const stack = new Proxy({} as Stack, { get: (_, name) => Reflect.get(running(started), name) as unknown });
  return { stack, client: new Client(stack) };
}

function running(stack: Stack | undefined): Stack {
  if (!stack) throw new Error('the stack has not started');
  return stack;
}
