import { AppError } from '@assay/errors';
import { makeWaitForAdmission } from './wait-for-admission.js';

/** A project that is admitted once `open` was called. */
function gate(maxWaitMs: number) {
  let isOpen = false;
  const assertAdmitted = () => {
    if (!isOpen) throw new AppError('OVERLOADED', 'not admitted');
  };
  const wait = makeWaitForAdmission({ admits: () => isOpen, assertAdmitted, maxWaitMs });
  const request = { signal: new AbortController().signal };
  return { wait: (from = request) => wait('p1', from), open: () => void (isOpen = true) };
}

describe('a request that waits for admission', () => {
  it('continues when its project is admitted', async () => {
    const { wait, open } = gate(60_000);
    const waiting = wait();
    open();
    await waiting;
  });

  it('is refused after the maximum wait', async () => {
    await expect(gate(20).wait()).rejects.toMatchObject({ code: 'OVERLOADED' });
  });

  it('ends when its client disconnects', async () => {
    const client = new AbortController();
    const waiting = gate(60_000).wait({ signal: client.signal });
    client.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'OVERLOADED' });
  });

  it('is refused immediately when 16 of its project wait, which may wait again afterwards', async () => {
    const { wait, open } = gate(60_000);
    const waiting = Array.from({ length: 16 }, () => wait());
    await expect(wait()).rejects.toMatchObject({ code: 'OVERLOADED' });
    open();
    await Promise.all(waiting);
    await wait();
  });

  it('continues after the maximum wait when its project is delayed but may append', async () => {
    let looks = 0;
    const delays = () => ++looks > 0;
    const wait = makeWaitForAdmission({
      ...{ admits: () => true, delays, assertAdmitted: () => undefined },
      maxWaitMs: 120,
    });
    await wait('p1', { signal: new AbortController().signal });
    expect(looks).toBeGreaterThan(2);
  });
});
