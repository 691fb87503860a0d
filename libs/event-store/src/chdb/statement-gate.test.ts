import { MAX_WAITING, StatementGate } from './statement-gate.js';

describe('the gate of statements', () => {
  it('lends a connection to one statement at a time, in the order of their coming', async () => {
    const gate = new StatementGate(['only']);
    const ended: number[] = [];
    const releases: (() => void)[] = [];
    const statements = [1, 2, 3].map((n) =>
      gate.run(async () => {
        await new Promise<void>((resolve) => releases.push(resolve));
        ended.push(n);
      }),
    );
    for (const statement of statements) {
      while (releases.length === 0) await Promise.resolve();
      expect(releases).toHaveLength(1);
      releases.pop()?.();
      await statement;
    }
    expect(ended).toStrictEqual([1, 2, 3]);
  });

  it('lends the connection on when a statement fails', async () => {
    const gate = new StatementGate(['only']);
    await expect(gate.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await expect(gate.run((connection) => Promise.resolve(connection))).resolves.toBe('only');
  });

  it('closes after the running statements, and refuses those that wait', async () => {
    const gate = new StatementGate(['only']);
    const done: string[] = [];
    const running = gate.run(() => Promise.resolve().then(() => done.push('statement')));
    const waiting = gate.run(() => Promise.resolve());
    const refused = expect(waiting).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await gate.close().then(() => done.push('closed'));
    await Promise.all([running, refused]);
    expect(done).toStrictEqual(['statement', 'closed']);
    await expect(gate.run(() => Promise.resolve())).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });

  it('refuses a statement when too many wait already', async () => {
    const gate = new StatementGate<string>([]);
    const waiting = Array.from({ length: MAX_WAITING }, () => gate.run(() => Promise.resolve()));
    await expect(gate.run(() => Promise.resolve())).rejects.toMatchObject({ code: 'OVERLOADED' });
    await gate.close();
    expect((await Promise.allSettled(waiting)).every(({ status }) => status === 'rejected')).toBe(true);
  });
});
