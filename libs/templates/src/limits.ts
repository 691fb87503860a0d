import { TemplateError } from './template-error.js';

/** Bounds of one rendering. */
export interface RenderLimits {
  /** Nodes evaluated, items visited, 16 to a step, and characters: 1,024 that are read or copied, or 32 that are changed one by one. */
  readonly maxSteps: number;
  readonly maxOutputBytes: number;
  /** Length of a string that the template makes, in UTF-16 units. */
  readonly maxStringLength: number;
  /** Items of a list that the template makes. */
  readonly maxItems: number;
  /** Sum of the sizes of everything that the template makes: characters, and 16 for each item. */
  readonly maxAllocation: number;
  /** Nesting of macros, recursive loops and values. */
  readonly maxDepth: number;
  /** Time, in milliseconds, during which the process computes. */
  readonly maxMs: number;
}

export const DEFAULT_LIMITS: RenderLimits = {
  maxSteps: 100_000,
  maxOutputBytes: 1_048_576,
  maxStringLength: 1_048_576,
  maxItems: 100_000,
  maxAllocation: 16_777_216,
  maxDepth: 64,
  maxMs: 50,
};

/** Items of `range()`. */
export const MAX_RANGE = 10_000;
/** Bits of an integer. Python limits the decimal digits that it prints to 4,300. */
export const MAX_INTEGER_BITS = 14_284;
/** Digits of an integer that is read from text, as in Python. */
export const MAX_INTEGER_DIGITS = 4_300;
const STEPS_PER_CLOCK = 256;
const CHARACTERS_PER_STEP = 1_024;
/** Characters that are looked up, changed or compared one by one cost more than those that are copied. */
const HANDLED_PER_STEP = 32;
const ITEM_SIZE = 16;
/** Of finding the kind or the other case of a character, in characters that are read. */
export const CASE_COST = 8;

/** Milliseconds since any moment. */
export interface Clocks {
  elapsed(): number;
  /** CPU time of the thread, or of the process where that of the thread is not known. */
  cpu(): number;
}

const CLOCKS: Clocks = {
  elapsed: () => performance.now(),
  cpu: () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  },
};

/** What a rendering has used. Every operation that takes time or memory is charged before it runs. */
export class Budget {
  private steps = 0;
  private allocated = 0;
  private nextClock = STEPS_PER_CLOCK;
  private depth = 0;
  private readonly startedAt: number;
  private readonly cpuAtStart: number;

  constructor(
    readonly limits: RenderLimits,
    private readonly clocks: Clocks = CLOCKS,
  ) {
    this.startedAt = clocks.elapsed();
    this.cpuAtStart = clocks.cpu();
  }

  /** Charges work. @throws TemplateError when the steps or the time are used up */
  step(count = 1): void {
    this.steps += count;
    if (this.steps > this.limits.maxSteps)
      throw new TemplateError(`the template takes more than ${this.limits.maxSteps} steps`);
    if (this.steps >= this.nextClock) this.checkClock();
  }

  /** @throws TemplateError when the time is used up; never after a few steps, whatever the process does beside them */
  checkClock(): void {
    if (this.steps < STEPS_PER_CLOCK) return;
    this.nextClock = this.steps + STEPS_PER_CLOCK;
    if (this.isLate()) throw new TemplateError(`the template takes longer than ${this.limits.maxMs} ms`);
  }

  /** A rendering that waits for a core of a busy machine is not late. */
  private isLate(): boolean {
    const { clocks, limits, startedAt, cpuAtStart } = this;
    return clocks.elapsed() - startedAt > limits.maxMs && clocks.cpu() - cpuAtStart > limits.maxMs;
  }

  /** Charges visiting items that exist. */
  visit(count: number): void {
    this.step(Math.ceil(count / ITEM_SIZE));
  }

  /** Charges reading a string of this length. */
  scan(length: number): void {
    this.step(Math.ceil(length / CHARACTERS_PER_STEP));
  }

  /** Charges handling each character of a string. */
  characters(length: number): void {
    this.step(Math.ceil(length / HANDLED_PER_STEP));
  }

  /** Charges a string before it is made. */
  text(length: number): void {
    if (length > this.limits.maxStringLength)
      throw new TemplateError(`a string is longer than ${this.limits.maxStringLength} characters`);
    this.allocate(length);
    this.step(Math.ceil(length / CHARACTERS_PER_STEP));
  }

  /** Charges items before they are made. */
  items(count: number): void {
    if (count > this.limits.maxItems)
      throw new TemplateError(`a list has more than ${this.limits.maxItems} items`);
    this.allocate(count * ITEM_SIZE);
    this.visit(count);
  }

  /** Runs something one level deeper. */
  nested<Result>(run: () => Result): Result {
    this.step();
    if (this.depth >= this.limits.maxDepth)
      throw new TemplateError(`the template recurses deeper than ${this.limits.maxDepth} levels`);
    this.depth++;
    try {
      return run();
    } finally {
      this.depth--;
    }
  }

  private allocate(size: number): void {
    this.allocated += size;
    if (this.allocated > this.limits.maxAllocation)
      throw new TemplateError('the template makes too many or too large values');
  }
}
