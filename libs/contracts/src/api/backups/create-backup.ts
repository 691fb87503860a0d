import { Type } from '@sinclair/typebox';
import { defineRoute } from '../../route.js';
import { integer, success, text } from '../../schema/fields.js';

export const createBackupRequest = Type.Object(
  {
    directory: text(
      'Absolute path of the folder to write on the machine of the process. It must not exist or be empty.',
      '/backups/2026-11-28',
      { minLength: 1, maxLength: 4_000 },
    ),
  },
  { $id: 'CreateBackupRequest', description: 'Where to write a backup.', additionalProperties: false },
);

export const createBackup = defineRoute({
  operation: 'createBackup',
  method: 'POST',
  path: '/v1/backups',
  owner: 'data-plane',
  access: 'admin',
  tag: 'Operation',
  summary: 'Write a backup of the running single process into a folder of its machine',
  limits: { maxBodyBytes: 16_384 },
  body: createBackupRequest,
  response: Type.Object({
    success: success(),
    files: integer('Files of the backup.', 120),
    bytes: integer('Bytes of these files.', 4_812_345),
  }),
});
