import { APPEND_DEADLINE_MS } from '../deadline.js';
import { GroupCommit } from './group-commit.js';

const CHANGE = { bytes: 1 };

describe('a change that waits to be durable', () => {
  beforeEach(() => void jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] }));
  afterEach(() => void jest.useRealTimers());

  /** A commit that takes as long as the test wants, with parts of its work. */
  function open() {
    let end = () => {};
    let progressed = () => {};
    const started = jest.fn();
    const commit = new GroupCommit((_changes, report) => {
      started();
      progressed = report;
      return new Promise<void>((resolve) => (end = resolve));
    });
    return { commit, started, end: () => end(), progressed: () => progressed() };
  }
  const turn = () => new Promise((resolve) => setImmediate(resolve));

  it('waits for as long as its work continues, however busy the machine is', async () => {
    const { commit, end, progressed } = open();
    const [first, second] = [commit.submit(CHANGE), commit.submit(CHANGE)];
    await turn();
    const third = commit.submit(CHANGE);
    for (let part = 0; part < 20; part++) {
      progressed();
      jest.advanceTimersByTime(APPEND_DEADLINE_MS / 2);
    }
    end();
    await Promise.all([first, second]);
    await turn();
    end();
    await third;
  });

  it('is given up when nothing is done for 8 seconds, and is withdrawn when it had not begun', async () => {
    const { commit, started, end } = open();
    const begun = commit.submit(CHANGE);
    await turn();
    const waiting = commit.submit(CHANGE);
    const failure = { code: 'UNAVAILABLE', message: 'the event log did not confirm in time' };
    const both = [begun, waiting].map((one) => expect(one).rejects.toMatchObject(failure));
    jest.advanceTimersByTime(APPEND_DEADLINE_MS);
    await Promise.all(both);
    expect(commit.pendingBytes).toBe(CHANGE.bytes);
    end();
    await commit.idle();
    expect([commit.pendingBytes, started.mock.calls.length]).toEqual([0, 1]);
  });

  it('gets the whole time when it comes while the log stands still', async () => {
    const { commit, end } = open();
    const begun = expect(commit.submit(CHANGE)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await turn();
    jest.advanceTimersByTime(APPEND_DEADLINE_MS);
    await begun;
    const late = commit.submit(CHANGE);
    jest.advanceTimersByTime(APPEND_DEADLINE_MS / 2);
    end();
    await turn();
    end();
    await late;
  });
});
