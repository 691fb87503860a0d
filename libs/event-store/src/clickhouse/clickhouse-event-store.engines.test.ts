import { createServer, connect, type AddressInfo, type Server, type Socket } from 'node:net';
import { randomUUID } from 'node:crypto';
import { partitionContract } from '../../test/contract/partition-contract.js';
import { changeContract, crashContract } from '../../test/event-store-contract.js';
import { clickHouseUnderTest } from '../../test/clickhouse-under-test.js';
import { newProject, queryOf, sampleEvent, writeEvents } from '../../test/event-fixture.js';
import { createClickHouseEventStore } from './create-clickhouse-event-store.js';

const url = process.env['CLICKHOUSE_URL'] ?? '';

describe('the event store on a server', () => {
  const engine = clickHouseUnderTest(url);
  changeContract(engine);
  crashContract(engine);
  describe('partitions', () => partitionContract(engine, `partitions_${process.pid}_${Date.now()}`));
});

describe('a server that cannot be reached', () => {
  const database = `faults_${process.pid}_${Date.now()}`;
  const direct = createClickHouseEventStore({ url, database });
  beforeAll(() => direct.administration.migrate());
  afterAll(() => direct.administration.close());

  it('is inspected for its version, clock, cluster, rights and limits while it can be reached', async () => {
    expect((await direct.administration.inspect()).map(({ name, ok }) => [name, ok])).toEqual([
      ['ClickHouse version', true],
      ['ClickHouse clock', true],
      ['ClickHouse cluster', true],
      ['ClickHouse rights', true],
      ['ClickHouse limits', true],
    ]);
  });

  it('is unavailable when nothing listens', async () => {
    const wire = await Wire.open();
    await wire.stop();
    const store = createClickHouseEventStore({ url: wire.url, database });
    await expect(store.administration.check()).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      retryable: true,
    });
    await expect(writeEvents(store, [sampleEvent()])).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await store.administration.close();
  });

  it('is unavailable when it does not answer in time', async () => {
    const wire = await Wire.open({ responds: false });
    const store = createClickHouseEventStore({ url: wire.url, database, requestTimeoutMs: 200 });
    await expect(store.events.search('project', queryOf())).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await store.administration.close();
    await wire.stop();
  });

  it('responds to a check within seconds regardless of the server', async () => {
    const wire = await Wire.open({ responds: false });
    const store = createClickHouseEventStore({ url: wire.url, database, requestTimeoutMs: 20_000 });
    const started = Date.now();
    await expect(store.administration.check()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(Date.now() - started).toBeLessThan(10_000);
    await wire.stop();
    await store.administration.close();
  });

  it('writes once when the answer is lost and the batch is sent again', async () => {
    const wire = await Wire.open({ lostAnswers: 1 });
    const store = createClickHouseEventStore({ url: wire.url, database });
    const project_id = newProject();
    const events = Array.from({ length: 50 }, () => sampleEvent({ project_id }));
    await writeEvents(store, events);
    expect((await direct.events.search(project_id, queryOf())).total).toBe(50);
    expect(wire.lost).toBe(1);
    await store.administration.close();
    await wire.stop();
  });

  it('says that it does not know when every answer is lost, and shows the batch once when it is delivered later', async () => {
    const wire = await Wire.open({ lostAnswers: 99 });
    const store = createClickHouseEventStore({ url: wire.url, database });
    const event = sampleEvent({ project_id: newProject() });
    await expect(writeEvents(store, [event])).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await writeEvents(direct, [event]);
    expect(await direct.events.search(event.project_id, queryOf())).toStrictEqual({
      events: [event],
      total: 1,
    });
    await store.administration.close();
    await wire.stop();
  });

  it('is unavailable when the connection is cut in the middle of the known ids', async () => {
    const project_id = newProject();
    await writeEvents(
      direct,
      Array.from({ length: 3_000 }, () => sampleEvent({ project_id, event_id: randomUUID() })),
    );
    const wire = await Wire.open({ cutAfterBytes: 20_000 });
    const store = createClickHouseEventStore({ url: wire.url, database });
    await expect(store.states.knownIds(() => undefined)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await store.administration.close();
    await wire.stop();
  });
});

interface Faults {
  readonly responds?: boolean;
  readonly lostAnswers?: number;
  readonly cutAfterBytes?: number;
}

/** A wire to the server that fails on purpose, between the bytes of the protocol. */
class Wire {
  lost = 0;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(faults: Faults) {
    this.#server = createServer((client) => this.#carry(client, faults));
  }

  static async open(faults: Faults = {}): Promise<Wire> {
    const wire = new Wire(faults);
    await new Promise<void>((resolve) => wire.#server.listen(0, '127.0.0.1', resolve));
    return wire;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo | null)?.port ?? closedPort}`;
  }

  async stop(): Promise<void> {
    closedPort = (this.#server.address() as AddressInfo).port;
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #carry(client: Socket, { responds = true, lostAnswers = 0, cutAfterBytes = Infinity }: Faults): void {
    const { hostname, port } = new URL(url);
    const server = connect(Number(port), hostname);
    const passed = { bytes: 0 };
    for (const socket of [client, server]) {
      this.#sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => this.#sockets.delete(socket) && (client.destroy(), server.destroy()));
    }
    client.pipe(server);
    server.on('data', (bytes: Buffer) => {
      passed.bytes += bytes.length;
      if (!responds) return;
      if (this.lost < lostAnswers) return void ((this.lost += 1), client.destroy());
      if (passed.bytes > cutAfterBytes) return void client.destroy();
      client.write(bytes);
    });
  }
}

/** A port that nothing listens at any more. */
let closedPort = 1;
