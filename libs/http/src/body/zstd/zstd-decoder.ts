import { AppError, validationError } from '@assay/errors';
import { ACCEPTED_ENCODINGS } from '../inflate.js';
import { PADDING } from './bits.js';
import { ByteQueue } from './byte-queue.js';
import { headerLength, readFrameHeader, type FrameHeader } from './frame-header.js';
import type { HuffmanTable } from './huffman.js';
import { readLiterals } from './literals.js';
import type { ZstdOutput } from './output.js';
import { executeSequences, type SequenceTables } from './sequences.js';
import { Xxh64 } from './xxhash64.js';

/** Why the decoder stops: it needs more bytes, or other work should have a turn. */
export type ZstdPause = 'input' | 'turn';

const MAGIC = 0xfd2fb528;
const SKIPPABLE_MAGIC = 0x184d2a5;
const MAX_BLOCK_BYTES = 131_072;
/** Blocks and frames between two pauses, and bytes. */
const TURN_STEPS = 64;
const TURN_BYTES = 1_048_576;
/** A block with tables takes time however little it contains: so many may have less than the bytes. */
const MAX_SMALL_BLOCKS = 1_000;
const SMALL_BLOCK_BYTES = 32;

function isFrame(magic: number): boolean {
  return magic === MAGIC || magic >>> 4 === SKIPPABLE_MAGIC;
}

function mayBeginFrame(bytes: Buffer): boolean {
  const starts = [
    [0x28, 0xb5, 0x2f],
    [((bytes[0] ?? 0) & 0x0f) | 0x50, 0x2a, 0x4d],
  ];
  return starts.some((start) => bytes.every((byte, index) => byte === start[index]));
}

/** What the blocks of a frame share. */
interface FrameState {
  readonly header: FrameHeader;
  readonly recent: [number, number, number];
  huffman: HuffmanTable | undefined;
  tables: SequenceTables | undefined;
}

/**
 * Decoder of zstd (RFC 8878) for bodies: frames one after the other, skippable ones too, without dictionaries. It checks all that
 * the format can check, with the checksum. Written here (ADR 078), because Node has it from version 22 only, and the packages
 * that decode in JavaScript or WebAssembly neither stop nor bound their memory on damaged data.
 */
export class ZstdDecoder {
  private readonly input = new ByteQueue();
  private steps = 0;
  private turnEnd = TURN_BYTES;
  private smallBlocks = 0;
  private isFirst = true;

  constructor(private readonly output: ZstdOutput) {}

  add(chunk: Buffer): void {
    this.input.add(chunk);
  }

  end(): void {
    this.input.isEnded = true;
  }

  /**
   * Decodes what was added. Ends at the end of the input, after a whole frame.
   * @throws AppError `VALIDATION_ERROR` when the data is damaged, cut, or needs a dictionary or too large a window;
   * `UNSUPPORTED_MEDIA_TYPE` when it does not begin like zstd
   */
  *run(): Generator<ZstdPause, void, undefined> {
    try {
      while (yield* this.hasMore()) yield* this.frame();
    } catch (error) {
      if (error instanceof RangeError) throw validationError('zstd data is damaged', { cause: error });
      throw error;
    }
  }

  private *hasMore(): Generator<ZstdPause, boolean, undefined> {
    while (this.input.length === 0 && !this.input.isEnded) yield 'input';
    return this.input.length > 0;
  }

  private *take(count: number): Generator<ZstdPause, Buffer, undefined> {
    while (this.input.length < count) {
      if (this.input.isEnded) throw endsEarly();
      yield 'input';
    }
    return this.input.take(count);
  }

  private *skip(count: number): Generator<ZstdPause, void, undefined> {
    for (let left = count; left > 0;) {
      left -= this.input.skip(left);
      if (left > 0 && this.input.isEnded) throw endsEarly();
      if (left > 0) yield 'input';
    }
  }

  /** A body that does not begin like zstd is in another encoding, however short it is. */
  private *magic(): Generator<ZstdPause, number, undefined> {
    while (this.input.length < 4 && !this.input.isEnded) yield 'input';
    if (this.input.length >= 4) return this.input.take(4).readUInt32LE(0);
    throw this.isFirst && !mayBeginFrame(this.input.take(this.input.length)) ? notZstd() : endsEarly();
  }

  private *frame(): Generator<ZstdPause, void, undefined> {
    const magic = yield* this.magic();
    if (!isFrame(magic))
      throw this.isFirst ? notZstd() : validationError('body has bytes after the end of the zstd data');
    this.isFirst = false;
    yield* this.pauseForOthers();
    if (magic !== MAGIC) return yield* this.skip((yield* this.take(4)).readUInt32LE(0));
    const descriptor = (yield* this.take(1))[0] as number;
    const header = readFrameHeader(descriptor, yield* this.take(headerLength(descriptor)));
    const { output } = this;
    output.frameStart = output.length;
    output.reserve(Math.min(header.contentSize ?? 0, TURN_BYTES));
    const checksum = header.hasChecksum ? new Xxh64(output.frameStart) : undefined;
    const state: FrameState = { header, recent: [1, 4, 8], huffman: undefined, tables: undefined };
    while (!(yield* this.block(state))) {
      if (output.length - output.frameStart > (header.contentSize ?? Infinity)) throw wrongSize();
      checksum?.update(output.bytes, output.length);
      yield* this.pauseForOthers();
    }
    if (header.contentSize !== undefined && output.length - output.frameStart !== header.contentSize)
      throw wrongSize();
    const written = checksum && (yield* this.take(4)).readUInt32LE(0);
    if (written !== checksum?.digest(output.bytes, output.length))
      throw new RangeError('the checksum of the content differs');
  }

  /** Decodes a block. Returns whether it is the last one of its frame. */
  private *block(state: FrameState): Generator<ZstdPause, boolean, undefined> {
    const header = (yield* this.take(3)).readUIntLE(0, 3);
    const isLast = (header & 1) === 1;
    const type = (header >> 1) & 3;
    const size = header >> 3;
    const maxSize = Math.min(MAX_BLOCK_BYTES, state.header.windowSize);
    if (type === 3 || size > maxSize) throw new RangeError('a block has a wrong type or size');
    const bytes = yield* this.take(type === 1 ? 1 : size);
    const { output } = this;
    const before = output.length;
    output.reserve(type === 2 ? maxSize : size);
    if (type === 2) this.compressed(state, bytes, maxSize);
    else {
      if (type === 1) output.bytes.fill(bytes[0] as number, before, before + size);
      else output.bytes.set(bytes, before);
      output.add(size);
    }
    if (type === 2 && output.length - before < SMALL_BLOCK_BYTES && ++this.smallBlocks > MAX_SMALL_BLOCKS)
      throw validationError('zstd data has too many blocks without content');
    return isLast;
  }

  private compressed(state: FrameState, block: Buffer, maxSize: number): void {
    if (block.length < 2) throw new RangeError('a block is too short');
    const bytes = new Uint8Array(block.length + PADDING);
    bytes.set(block);
    const { literals, end, table } = readLiterals(bytes, block.length, maxSize, state.huffman);
    state.huffman = table;
    if (end >= block.length) throw new RangeError('a block has no sequences');
    const { windowSize } = state.header;
    const section = {
      bytes,
      start: end,
      end: block.length,
      previous: state.tables,
      recent: state.recent,
      windowSize,
      maxSize,
    };
    state.tables = executeSequences(section, literals, this.output);
  }

  private *pauseForOthers(): Generator<ZstdPause, void, undefined> {
    if (++this.steps < TURN_STEPS && this.output.length < this.turnEnd) return;
    this.steps = 0;
    this.turnEnd = this.output.length + TURN_BYTES;
    yield 'turn';
  }
}

function notZstd(): AppError {
  const advice = `send ${ACCEPTED_ENCODINGS} or identity`;
  const message = `body is not zstd, although its encoding says so: ${advice}`;
  return new AppError('UNSUPPORTED_MEDIA_TYPE', message, { details: { acceptEncoding: ACCEPTED_ENCODINGS } });
}

function endsEarly(): AppError {
  return validationError('zstd data ends early');
}

function wrongSize(): RangeError {
  return new RangeError('the size of the content differs');
}
