import { createRequire } from 'node:module';
import { setImmediate } from 'node:timers/promises';
import { EVENT_SHAPE, jsonBytesSteps, type FieldType, type JsonValue, type WireEvent } from '@assay/domain';
import { createYieldToEventLoop, runCooperatively } from '@assay/runtime';
import type * as parquet from 'hyparquet-writer' with { 'resolution-mode': 'import' };
import type { ExportFile, ExportFileType } from './export-file.js';

/** Parquet, with a column for each field of the API. */
export const PARQUET_FILE: ExportFileType = {
  extension: 'parquet',
  contentType: 'application/vnd.apache.parquet',
  create: () => new ParquetFile(),
};

/** The library is loaded with the first file. */
const loadParquet = () => createRequire(__filename)('hyparquet-writer') as typeof parquet;

interface Column {
  readonly name: string;
  readonly type: 'STRING' | 'DOUBLE';
  readonly isOptional: boolean;
  readonly isJson: boolean;
}

const text = (name: string, isOptional = false): Column => ({
  name,
  type: 'STRING',
  isOptional,
  isJson: false,
});
const TYPES: Readonly<Record<FieldType, Omit<Column, 'name'>>> = {
  uuid: { type: 'STRING', isOptional: false, isJson: false },
  text: { type: 'STRING', isOptional: false, isJson: false },
  textOrNull: { type: 'STRING', isOptional: true, isJson: false },
  textList: { type: 'STRING', isOptional: false, isJson: true },
  number: { type: 'DOUBLE', isOptional: false, isJson: false },
  numberOrNull: { type: 'DOUBLE', isOptional: true, isJson: false },
  object: { type: 'STRING', isOptional: false, isJson: true },
};

/** Lists and objects are texts of JSON, which keep every digit and key. */
export const PARQUET_COLUMNS: readonly Column[] = [
  ...['project', 'org_id', 'workspace_id'].map((name) => text(name)),
  ...EVENT_SHAPE.fields
    .filter(({ internal }) => !internal)
    .map(({ name, type }) => ({ name, ...TYPES[type] })),
  text('session_name', true),
];

const SCHEMA: parquet.SchemaElement[] = [
  { name: 'event', num_children: PARQUET_COLUMNS.length },
  ...PARQUET_COLUMNS.map(({ name, type, isOptional }): parquet.SchemaElement => ({
    name,
    repetition_type: isOptional ? 'OPTIONAL' : 'REQUIRED',
    ...(type === 'STRING' ? { type: 'BYTE_ARRAY', converted_type: 'UTF8' } : { type: 'DOUBLE' }),
  })),
];

/** A group of rows is encoded in one turn of the event loop: a few milliseconds. */
const GROUP_BYTES = 512 * 1024;
const GROUP_ROWS = 500;

class ParquetFile implements ExportFile {
  size = 0;
  private readonly library = loadParquet();
  private readonly bytes = new this.library.ByteWriter();
  private readonly writer = new this.library.ParquetWriter({
    ...{ writer: this.bytes, schema: SCHEMA, createdBy: 'assay' },
  });
  private readonly pause = createYieldToEventLoop();
  private group: unknown[][] = [];
  private groupBytes = 0;

  async add(event: WireEvent): Promise<void> {
    const values = event as unknown as Readonly<Record<string, unknown>>;
    const row: unknown[] = [];
    let bytes = 0;
    for (const { name, isJson } of PARQUET_COLUMNS) {
      const value = isJson ? await this.json(values[name] as JsonValue) : (values[name] ?? null);
      bytes += typeof value === 'string' ? value.length : 8;
      row.push(value);
    }
    this.group.push(row);
    this.size += bytes;
    this.groupBytes += bytes;
    if (this.groupBytes >= GROUP_BYTES || this.group.length >= GROUP_ROWS) await this.writeGroup();
  }

  async finish(): Promise<Buffer> {
    await this.writeGroup();
    await this.writer.finish();
    const { buffer, byteOffset, byteLength } = this.bytes.getBytes();
    return Buffer.from(buffer, byteOffset, byteLength);
  }

  private async json(value: JsonValue): Promise<string> {
    return (await runCooperatively(jsonBytesSteps(value), this.pause)).toString();
  }

  private async writeGroup(): Promise<void> {
    if (this.group.length === 0) return;
    const columnData = PARQUET_COLUMNS.map(({ name }, index) => ({
      ...{ name, data: this.group.map((row) => row[index]) },
    }));
    await this.writer.write({ columnData, rowGroupSize: this.group.length });
    this.group = [];
    this.groupBytes = 0;
    await setImmediate();
  }
}
