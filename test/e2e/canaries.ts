import { randomBytes, randomInt } from 'node:crypto';

/** Random values that occur nowhere else, so that each place where one turns up is a place that it has reached. */
export class Canaries {
  private readonly texts: string[] = [];
  private readonly numbers: number[] = [];

  /** 128 random bits as text. */
  text(): string {
    const text = `canary${randomBytes(16).toString('hex')}`;
    this.texts.push(text);
    return text;
  }

  /** A whole number of 15 digits. */
  number(): number {
    const number = 100_000_000_000_000 + randomInt(2 ** 47);
    this.numbers.push(number);
    return number;
  }

  /** A value with a canary in every position that JSON has. */
  value() {
    return {
      text: this.text(),
      number: this.number(),
      fraction: this.number() / 1_000,
      yes: true,
      nothing: null,
      list: [this.text(), this.number(), [this.text()], { deep: { deeper: this.text() } }],
      json: JSON.stringify({ quoted: this.text(), n: this.number() }),
      base64: Buffer.from(this.text()).toString('base64'),
      ['dotted.key']: this.text(),
      ['__proto__']: { polluted: this.text() },
      messages: [{ role: 'user', content: [{ type: 'text', text: this.text() }] }],
    };
  }

  get count(): number {
    return this.texts.length + this.numbers.length;
  }

  /** The canaries that occur in the bytes: as they are, in capitals, in base64, and numbers also in binary. */
  foundIn(bytes: Buffer): string[] {
    const texts = this.texts.filter((text) => spellings(text).some((spelling) => bytes.includes(spelling)));
    const numbers = this.numbers.filter((number) =>
      encodings(number).some((encoding) => bytes.includes(encoding)),
    );
    return [...texts, ...numbers.map(String)];
  }
}

function spellings(text: string): string[] {
  // The middle of a base64 text is the same whatever stands before it, at one of three alignments.
  const aligned = [0, 1, 2].map((skip) =>
    Buffer.from('x'.repeat(skip) + text)
      .toString('base64')
      .slice(4, -4),
  );
  return [text, text.toUpperCase(), ...aligned];
}

function encodings(number: number): (string | Buffer)[] {
  const [double, integer] = [Buffer.alloc(8), Buffer.alloc(8)];
  double.writeDoubleLE(number);
  integer.writeBigInt64LE(BigInt(number));
  return [String(number), double, integer];
}
