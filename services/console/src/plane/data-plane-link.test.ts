import { dataPlaneLink } from './data-plane-link.js';

describe('the link into the data plane', () => {
  const link = 'https://data.example.com/console/p/1/runs/2';

  it.each(['', '/', '/console', '/console/', '//'])(
    'is of the same path where the address ends with %p',
    (end) => expect(dataPlaneLink(`https://data.example.com${end}`, '/console/p/1/runs/2')).toBe(link),
  );

  it('keeps a path before that of the console', () =>
    expect(dataPlaneLink('https://example.com/assay/console', '/console/p/1')).toBe(
      'https://example.com/assay/console/p/1',
    ));
});
