import { consumerGroups } from './consumer-groups.js';

describe('consumer groups', () => {
  it('contain forwarding and evaluating only when they are enabled', () => {
    expect(consumerGroups({ forwardEvents: true, evaluateEvents: true })).toEqual([
      'store',
      'forward',
      'evaluate',
    ]);
    expect(consumerGroups({ forwardEvents: true })).toEqual(['store', 'forward']);
    expect(consumerGroups({ forwardEvents: false })).toEqual(['store']);
  });
});
