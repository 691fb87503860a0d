import { dataPlaneIdIn, newDataPlaneId, newDataPlaneToken } from './data-plane-token.js';
import { newKeyText, readKeyText } from './key-format.js';

describe('the token of a data plane', () => {
  it('names its data plane, and is another each time', () => {
    const id = newDataPlaneId();
    const tokens = Array.from({ length: 100 }, () => newDataPlaneToken(id));
    expect(new Set(tokens).size).toBe(100);
    expect(tokens.map(dataPlaneIdIn)).toEqual(tokens.map(() => id));
  });

  it('is none with any one character changed, and no key is one', () => {
    const token = newDataPlaneToken(newDataPlaneId());
    for (let n = 0; n < token.length; n++) {
      const changed = token.slice(0, n) + (token[n] === 'a' ? 'b' : 'a') + token.slice(n + 1);
      expect(dataPlaneIdIn(changed)).toBeUndefined();
    }
    for (const text of ['', newKeyText('project').text, `${token} `, `x${token}`])
      expect(dataPlaneIdIn(text)).toBeUndefined();
  });

  it('is not the text of a key of ours', () => {
    expect(readKeyText(newDataPlaneToken(newDataPlaneId())).kind).not.toBe('issued');
  });
});
