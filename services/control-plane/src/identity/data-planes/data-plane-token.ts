import { endsWithChecksum, withChecksum } from '@assay/domain';
import { randomText } from '../../shared/random-text.js';

const SHAPE = /^assay_dp_([A-Za-z0-9]{24})_[A-Za-z0-9]{64}$/;
const ID_LENGTH = 24;
const SECRET_LENGTH = 58;

/** Mints a token: `assay_dp_`, the id of the data plane, `_`, 58 random characters (345 bits), 6 characters of CRC-32. */
export function newDataPlaneToken(dataPlaneId: string): string {
  return withChecksum(`assay_dp_${dataPlaneId}_${randomText(SECRET_LENGTH)}`);
}

/** 24 characters. */
export function newDataPlaneId(): string {
  return randomText(ID_LENGTH);
}

/** Returns the id of the data plane that a token names; undefined for text that cannot be a token. Costs no look-up. */
export function dataPlaneIdIn(token: string): string | undefined {
  const id = SHAPE.exec(token)?.[1];
  return id !== undefined && endsWithChecksum(token) ? id : undefined;
}
