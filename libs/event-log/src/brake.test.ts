import { Brake } from './brake.js';

describe('the brake', () => {
  it('lets 100 bad records in a row pass, and not one more', () => {
    const brake = new Brake();
    for (let index = 0; index < 100; index += 1) {
      expect(brake.isFull()).toBe(false);
      brake.setAside();
    }
    expect(brake.isFull()).toBe(true);
  });

  it('starts counting a row anew after a good record', () => {
    const brake = new Brake();
    brake.handled(9_000);
    for (let index = 0; index < 60; index += 1) brake.setAside();
    brake.handled(1);
    expect(brake.isFull()).toBe(false);
  });

  it('lets 1 % of the last 10,000 pass, and not one more', () => {
    const brake = new Brake();
    brake.handled(9_000);
    for (let index = 0; index < 99; index += 1) {
      brake.setAside();
      brake.handled(1);
    }
    brake.handled(10_000 - 9_000 - 2 * 99);
    expect(brake.isFull()).toBe(false);
    brake.setAside();
    brake.handled(1);
    expect(brake.isFull()).toBe(true);
  });

  it('forgets what is longer ago than 10,000 records', () => {
    const brake = new Brake();
    brake.handled(5_000);
    for (let index = 0; index < 100; index += 1) {
      brake.setAside();
      brake.handled(1);
    }
    brake.handled(10_000);
    expect(brake.isFull()).toBe(false);
  });

  it('does not judge by a share of a few records', () => {
    const brake = new Brake();
    brake.handled(10);
    brake.setAside();
    brake.handled(10);
    expect(brake.isFull()).toBe(false);
  });
});
