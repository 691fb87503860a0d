import { checksum, hasRightChecksum, randomText } from './random-text.js';

const SHAPE = /^assay_dp_([A-Za-z0-9]{24})_[A-Za-z0-9]{64}$/;
const ID_LENGTH = 24;
const SECRET_LENGTH = 58;

/** A new token of a data plane: `assay_dp_`, its id, `_`, 58 random characters (345 bits), 6 characters of CRC-32. */
export function newDataPlaneToken(dataPlaneId: string): string {
  const unchecked = `assay_dp_${dataPlaneId}_${randomText(SECRET_LENGTH)}`;
  return unchecked + checksum(unchecked);
}

/** 24 characters. */
export function newDataPlaneId(): string {
  return randomText(ID_LENGTH);
}

/** The id of the data plane that a token names; undefined for what cannot be a token. Costs no look-up. */
export function dataPlaneIdIn(token: string): string | undefined {
  const id = SHAPE.exec(token)?.[1];
  return id !== undefined && hasRightChecksum(token) ? id : undefined;
}
