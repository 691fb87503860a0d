import { once } from 'node:events';
import { createGzip } from 'node:zlib';
import { jsonBytesSteps, type JsonValue, type WireEvent } from '@assay/domain';
import { createYieldToEventLoop, runCooperatively } from '@assay/runtime';
import type { ExportFile, ExportFileType } from './export-file.js';

/** Lines of JSON as the export of lines writes them, compressed. */
export const LINES_FILE: ExportFileType = {
  extension: 'ndjson.gz',
  contentType: 'application/gzip',
  create: () => new LinesFile(),
};

const LINE_FEED = Buffer.from('\n');

class LinesFile implements ExportFile {
  size = 0;
  private readonly chunks: Buffer[] = [];
  private readonly gzip = createGzip().on('data', (chunk: Buffer) => this.chunks.push(chunk));
  private readonly pause = createYieldToEventLoop();

  async add(event: WireEvent): Promise<void> {
    const line = await runCooperatively(jsonBytesSteps(event as unknown as JsonValue), this.pause);
    this.size += line.length + 1;
    this.gzip.write(line);
    if (!this.gzip.write(LINE_FEED)) await once(this.gzip, 'drain');
    await this.pause();
  }

  async finish(): Promise<Buffer> {
    const ended = once(this.gzip, 'end');
    this.gzip.end();
    await ended;
    return Buffer.concat(this.chunks);
  }
}
