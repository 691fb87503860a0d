import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { builtFerretDb, startFerretDb } from './start-ferretdb.js';

const accepts = (url: string) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });

describe('startFerretDb', () => {
  // On a fresh machine, beside other builds.
  beforeAll(builtFerretDb, 1_200_000);

  it('runs two servers concurrently and stops each on its own', async () => {
    const [first, second] = await Promise.all([startFerretDb(), startFerretDb()]);
    expect(await accepts(first.url)).toBe(true);
    await first.stop();
    await first.stop();
    expect(existsSync(`/proc/${first.pid}`)).toBe(false);
    expect(await accepts(second.url)).toBe(true);
    await second.stop();
    expect(await accepts(second.url)).toBe(false);
  }, 180_000);
});
