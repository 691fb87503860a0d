import type { JsonObject } from '@assay/domain';

/** Objects that are kept; the resource and the scope of the spans of a few requests. */
const MAX_OBJECTS = 8;
const MAX_BYTES = 64 * 1024;

interface Shared {
  readonly object: JsonObject;
  readonly json: Buffer;
}

/**
 * JSON text of frozen objects that many events share, such as the resource of the spans of a request. The newest
 * are kept.
 */
export class SharedObjects {
  private readonly objects: Shared[] = [];
  private next = 0;

  get(object: JsonObject): Buffer | undefined {
    for (const known of this.objects) if (known.object === object) return known.json;
    return undefined;
  }

  /** Keeps the text of an object that can no longer change. */
  add(object: JsonObject, bytes: Buffer, start: number, end: number): void {
    if (!Object.isFrozen(object) || end - start > MAX_BYTES) return;
    this.objects[this.next] = { object, json: Buffer.from(bytes.subarray(start, end)) };
    this.next = (this.next + 1) % MAX_OBJECTS;
  }
}
