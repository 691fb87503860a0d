import { readKeyText } from '@assay/domain';
import { newKeyText } from './new-key-text.js';

describe('newKeyText', () => {
  it.each([
    ['project', /^hh_fgdp_[A-Za-z0-9]{24}_[A-Za-z0-9_-]{64}$/],
    ['ingest', /^hh_ingst_[A-Za-z0-9]{24}_[A-Za-z0-9_-]{64}$/],
  ] as const)('mints a %s key in the shape that clients check', (scope, shape) => {
    const { keyId, text } = newKeyText(scope);
    expect(text).toMatch(shape);
    expect(readKeyText(text)).toEqual({ kind: 'issued', keyId, scope });
  });

  it('never mints the same key twice', () => {
    expect(new Set(Array.from({ length: 1_000 }, () => newKeyText('ingest').text)).size).toBe(1_000);
  });
});

describe('readKeyText', () => {
  it('rejects an issued key with any one character changed', () => {
    const { text } = newKeyText('project');
    for (let n = 'hh_fgdp_'.length; n < text.length; n++) {
      if (text[n] === '_') continue;
      const changed = text.slice(0, n) + (text[n] === 'a' ? 'b' : 'a') + text.slice(n + 1);
      expect(readKeyText(changed)).toEqual({ kind: 'refused' });
    }
  });

  it('rejects the scope of one key with the secret of another', () => {
    expect(readKeyText(newKeyText('ingest').text.replace('hh_ingst_', 'hh_fgdp_'))).toEqual({
      kind: 'refused',
    });
  });

  it('accepts other texts of 20 to 512 characters as keys that were issued elsewhere', () => {
    expect(readKeyText('x'.repeat(20))).toEqual({ kind: 'foreign' });
    expect(readKeyText('')).toEqual({ kind: 'refused' });
    expect(readKeyText('x'.repeat(19))).toEqual({ kind: 'refused' });
    expect(readKeyText('x'.repeat(513))).toEqual({ kind: 'refused' });
  });
});
