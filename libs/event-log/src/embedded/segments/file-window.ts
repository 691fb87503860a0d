import type { OpenFile } from '../files/file-system.js';

/** Reads a file through a window of its bytes, for scans that go forward. */
export class FileWindow {
  private window = Buffer.alloc(0);
  private start = 0;

  /** @param size bytes of the file that count */
  constructor(
    private readonly file: OpenFile,
    readonly size: number,
    private readonly windowBytes: number,
  ) {}

  /** The bytes from `position` on, as a view: `length` of them, or fewer at the end of the file. */
  async bytes(position: number, length: number): Promise<Buffer> {
    const wanted = Math.max(0, Math.min(length, this.size - position));
    if (position < this.start || position + wanted > this.start + this.window.length) {
      const bytes = Math.min(Math.max(wanted, this.windowBytes), this.size - position);
      const target = Buffer.allocUnsafeSlow(Math.max(0, bytes));
      const read = await this.file.read(target, position);
      this.window = target.subarray(0, read);
      this.start = position;
    }
    return this.window.subarray(position - this.start, position - this.start + wanted);
  }
}
