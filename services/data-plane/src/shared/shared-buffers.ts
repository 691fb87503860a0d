/** Memory that rows are views of, with the number of rows that keep it. */
export class SharedBuffers {
  readonly #rows = new Map<ArrayBufferLike, number>();
  #bytes = 0;

  /** Bytes of all buffers that a row keeps. */
  get bytes(): number {
    return this.#bytes;
  }

  add({ buffer }: Buffer): void {
    const rows = this.#rows.get(buffer) ?? 0;
    if (rows === 0) this.#bytes += buffer.byteLength;
    this.#rows.set(buffer, rows + 1);
  }

  /** Call for a row that was added, when it is dropped. */
  remove({ buffer }: Buffer): void {
    const rows = (this.#rows.get(buffer) ?? 0) - 1;
    if (rows > 0) this.#rows.set(buffer, rows);
    else if (this.#rows.delete(buffer)) this.#bytes -= buffer.byteLength;
  }
}
