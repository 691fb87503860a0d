/**
 * Offsets of the hexadecimal digits of the sixteen bytes in the text of a UUID, in the byte order of the
 * engine: two halves, each little endian.
 */
export const UUID_DIGITS: readonly number[] = [16, 14, 11, 9, 6, 4, 2, 0, 34, 32, 30, 28, 26, 24, 21, 19];
