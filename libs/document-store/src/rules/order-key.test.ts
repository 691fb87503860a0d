import fc from 'fast-check';
import { orderedValue, orderKey } from './order-key.js';

const compareCodePoints = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));

describe('orderKey', () => {
  it('sorts numbers by value', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true }), fc.double({ noNaN: true }), (a, b) => {
        const [left, right] = [a + 0, b + 0];
        expect(Buffer.compare(orderKey(left), orderKey(right))).toBe(
          Math.sign(left === right ? 0 : left - right),
        );
      }),
    );
  });

  it('sorts strings by code point, and no key begins with another one', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', 'b', '\0', '\u0001', 'é', '\uffff', '\u{1F600}'),
      maxLength: 6,
    });
    fc.assert(
      fc.property(text, text, (a, b) => {
        const [left, right] = [orderKey(a), orderKey(b)];
        expect(Buffer.compare(left, right)).toBe(compareCodePoints(a, b));
        expect(a !== b && right.subarray(0, left.length).equals(left)).toBe(false);
      }),
    );
  });

  it('is read back as the value that it was made of', () => {
    const scalar = fc.oneof(
      fc.double({ noNaN: true }),
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('a\0\0b', '\0', null, true, false),
    );
    fc.assert(fc.property(scalar, (value) => expect(orderedValue(orderKey(value))).toBe(value)));
    expect(orderedValue(orderKey(undefined))).toBeUndefined();
  });
});
