import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CheckedLog } from '../../test/checked-log.js';
import { chooseSeed, seededRandom, SimulatedDisk, type Fault } from '../../test/simulated-disk.js';

const seed = chooseSeed();
const ACTIONS = 30;
const INTERVALS = [2, 3, 5, 7, 11, 13, 17, 23, 29, 37, 41];
const ROUNDS = 12;
const TIMEOUT_MS = 180_000;
const FAULTS: readonly Fault[] = ['ENOSPC', 'EIO', 'short'];

describe(`the embedded log on a disk that fails (SEED=${seed})`, () => {
  let dir: string;

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'assay-faults-'));
  });

  afterEach(async () => {
    await rm(dir, { recursive: true, force: true });
  });

  const run = async (runSeed: number, failing: (disk: SimulatedDisk, random: () => number) => void) => {
    const random = seededRandom(runSeed);
    const disk = new SimulatedDisk(random);
    const log = new CheckedLog(dir, disk, random);
    await log.open();
    failing(disk, random);
    for (let action = 0; action < ACTIONS; action += 1) await log.act();
    return log.finish();
  };

  for (const fault of FAULTS) {
    it(
      `keeps what it acknowledged when every k-th call fails with ${fault}`,
      async () => {
        for (const k of INTERVALS) {
          const violations = await run(seed + k, (disk) => {
            let calls = 0;
            disk.plan = () => ((calls += 1) % k === 0 ? fault : undefined);
          });
          expect({ k, violations }).toEqual({ k, violations: [] });
        }
      },
      TIMEOUT_MS,
    );
  }

  it('keeps what it acknowledged after an attempt to start a segment whose removal was not durable', async () => {
    const violations = await run(244_536, (disk) => {
      let calls = 0;
      disk.plan = () => ((calls += 1) % 5 === 0 ? 'ENOSPC' : undefined);
    });
    expect(violations).toEqual([]);
  });

  it(
    'keeps what it acknowledged when one call after the other fails once',
    async () => {
      for (let failed = 1 + (seed % 5); failed <= 120; failed += 5) {
        const violations = await run(seed, (disk) => {
          let calls = 0;
          disk.plan = () => ((calls += 1) === failed ? FAULTS[failed % 3] : undefined);
        });
        expect({ failed, violations }).toEqual({ failed, violations: [] });
      }
    },
    TIMEOUT_MS,
  );

  it(
    'keeps what it acknowledged on a disk that is full for a while, again and again',
    async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const violations = await run(seed + 1_000 + round, (disk, random) => {
          let calls = 0;
          const period = 20 + Math.floor(random() * 100);
          const needsRoom = /^(write|sync|open create)$/;
          disk.plan = (call) =>
            needsRoom.test(call) && (calls += 1) % (2 * period) > period ? 'ENOSPC' : undefined;
        });
        expect({ round, violations }).toEqual({ round, violations: [] });
      }
    },
    TIMEOUT_MS,
  );

  it(
    'keeps what it acknowledged through crashes of a disk without faults',
    async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const violations = await run(seed + 2_000 + round, () => undefined);
        expect({ round, violations }).toEqual({ round, violations: [] });
      }
    },
    TIMEOUT_MS,
  );
});
