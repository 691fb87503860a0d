import { workerCount } from './worker-count.js';

const GIB = 1 << 30;

describe('workerCount', () => {
  it.each([
    ['one fewer than the cores', 8, 64 * GIB, 7],
    ['at least two, so that one evaluates while another prepares', 1, GIB, 2],
    ['as many as fit into a container with a small limit on a large node', 64, 2 * GIB, 2],
    ['as many as fit into a container with a larger limit', 64, 4 * GIB, 7],
  ])('is %s', (_, cores, memoryBytes, expected) => {
    expect(workerCount(cores, memoryBytes)).toBe(expected);
  });
});
