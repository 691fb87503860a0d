import { Type, type Static } from '@sinclair/typebox';
import { choice, text } from '../../schema/fields.js';

export const EXPORT_FORMATS = ['parquet', 'ndjson'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

const DESCRIPTION = 'Hourly export of events to the object store of the installation';

export const exportFormat = () =>
  choice(EXPORT_FORMATS, 'Format of the files: Parquet, or lines of JSON compressed with gzip.', 'parquet');
export const exportFrom = () =>
  text('First hour that is exported: that in which the export was switched on.', '2026-11-01T12:00:00.000Z', {
    format: 'date-time',
  });

const change = Type.Object(
  { format: exportFormat() },
  {
    description: `${DESCRIPTION}; null ends it.`,
    examples: [{ format: 'parquet' }],
    additionalProperties: false,
  },
);

/** Null ends it. */
export const projectExportChange = () =>
  Type.Unsafe<Static<typeof change> | null>({ ...change, type: ['object', 'null'] });

export const projectExport = () =>
  Type.Object(
    { format: exportFormat(), from: exportFrom() },
    { description: `${DESCRIPTION}; absent: there is none.` },
  );
export type ProjectExportSetting = Static<ReturnType<typeof projectExport>>;
