import type { WireEvent } from '@assay/domain';

/** A file of exported events that is being written, in memory. */
export interface ExportFile {
  /** Bytes of the texts that were added, before compression. */
  readonly size: number;
  add(event: WireEvent): Promise<void>;
  /** Returns its bytes; nothing can be added afterwards. */
  finish(): Promise<Buffer>;
}

export interface ExportFileType {
  readonly extension: string;
  readonly contentType: string;
  create(): ExportFile;
}
