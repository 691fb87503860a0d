import { readKeyText } from '@assay/domain';
import { newKeyText } from '../keys/new-key-text.js';
import { dataPlaneIdIn, newDataPlaneId, newDataPlaneToken } from './data-plane-token.js';

describe('the token of a data plane', () => {
  it('names its data plane and is different each time', () => {
    const id = newDataPlaneId();
    const tokens = Array.from({ length: 100 }, () => newDataPlaneToken(id));
    expect(new Set(tokens).size).toBe(100);
    expect(tokens.map(dataPlaneIdIn)).toEqual(tokens.map(() => id));
  });

  it('is not valid with any one character changed, and no key is a token', () => {
    const token = newDataPlaneToken(newDataPlaneId());
    for (let n = 0; n < token.length; n++) {
      const changed = token.slice(0, n) + (token[n] === 'a' ? 'b' : 'a') + token.slice(n + 1);
      expect(dataPlaneIdIn(changed)).toBeUndefined();
    }
    for (const text of ['', newKeyText('project').text, `${token} `, `x${token}`])
      expect(dataPlaneIdIn(text)).toBeUndefined();
  });

  it('is not the text of an issued key', () => {
    expect(readKeyText(newDataPlaneToken(newDataPlaneId())).kind).not.toBe('issued');
  });
});
