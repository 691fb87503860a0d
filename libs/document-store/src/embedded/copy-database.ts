import { open } from 'node:fs/promises';
import { Connection } from './connection.js';

/** Bytes of the header that say how the file is written and read, and their value for a write-ahead log. */
const FORMAT_AT = 18;
const WRITE_AHEAD = Buffer.from([2, 2]);

/**
 * Copies a database into a new file, which only its owner may read, from one snapshot and on a thread of the native module. A connection of
 * its own holds no other up.
 * @throws SqliteError
 */
export async function copyDatabase(path: string, copy: string): Promise<void> {
  // `VACUUM INTO` accepts an empty file.
  await (await open(copy, 'wx', 0o600)).close();
  const connection = await Connection.open(path);
  try {
    await connection.exec(`VACUUM INTO '${copy.replaceAll("'", "''")}'`);
  } finally {
    connection.close();
  }
  const file = await open(copy, 'r+');
  try {
    await file.write(WRITE_AHEAD, 0, WRITE_AHEAD.length, FORMAT_AT);
  } finally {
    await file.close();
  }
}
