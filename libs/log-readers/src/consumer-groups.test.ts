import { consumerGroups } from './consumer-groups.js';

describe('consumer groups', () => {
  it('contain forwarding only when it is enabled', () => {
    expect(consumerGroups({ forwardEvents: true })).toEqual(['store', 'forward']);
    expect(consumerGroups({ forwardEvents: false })).toEqual(['store']);
  });
});
