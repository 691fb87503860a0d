import { onceCoordinated } from './once-coordinated.js';

const failure = (type: string) => Object.assign(new Error('refused'), { type });

describe('onceCoordinated', () => {
  it('repeats a request until the coordinator of the group is known', async () => {
    const refusals = ['NOT_COORDINATOR_FOR_GROUP', 'GROUP_LOAD_IN_PROGRESS'];
    const request = () => {
      const type = refusals.shift();
      return type === undefined ? Promise.resolve('offsets') : Promise.reject(failure(type));
    };
    expect(await onceCoordinated(request, 8_000)).toBe('offsets');
  });

  it('throws other refusals, and the last one when its time is over', async () => {
    await expect(
      onceCoordinated(() => Promise.reject(failure('GROUP_AUTHORIZATION_FAILED')), 8_000),
    ).rejects.toThrow('refused');
    await expect(
      onceCoordinated(() => Promise.reject(failure('NOT_COORDINATOR_FOR_GROUP')), 200),
    ).rejects.toMatchObject({ type: 'NOT_COORDINATOR_FOR_GROUP' });
  });
});
