import { crc32 } from 'node:zlib';

const LINE = /^\{"line":(\d+),"crc32":"([0-9a-f]{8})","value":(.*)\}$/s;

/** Returns a line of a file of an export: its number from 1, the checksum of its value, and the value, which is JSON text. */
export function numberedLine(number: number, value: string): string {
  return `{"line":${number},"crc32":"${checksum(value)}","value":${value}}\n`;
}

/** Returns the JSON text of the value of a line, or what is wrong with the line. */
export function valueOfLine(
  text: string,
  number: number,
): { readonly value: string } | { readonly mistake: string } {
  const [, written, sum, value] = LINE.exec(text) ?? [];
  if (value === undefined) return { mistake: 'is not a line of an export, or is truncated' };
  if (Number(written) !== number) return { mistake: `is out of order: it says line ${written}` };
  return sum === checksum(value) ? { value } : { mistake: 'has changed since the export' };
}

function checksum(text: string): string {
  return crc32(text).toString(16).padStart(8, '0');
}
