import { join } from 'node:path';
import type { FileSystem } from './files/file-system.js';
import { SlotFile, slotFileOf } from './files/slot-file.js';
import { GroupCommit, type Change } from './group-commit.js';

/** Content of the positions file. */
interface State {
  /** Group and the offset that it reads next. */
  readonly groups: readonly (readonly [string, number])[];
  /** Offset of the first dead letter that was not dropped. */
  readonly deadLettersFrom: number;
}

interface Advance extends Change {
  readonly group?: string;
  readonly offset: number;
  /** Whether the offset may be lower than the committed one. */
  readonly isRewind?: boolean;
}

const EMPTY: State = { groups: [], deadLettersFrom: 0 };

/**
 * Committed offsets of the consumer groups and of the dead letters. Memory holds what is durable, and from the time of opening until
 * the first write what an earlier process may not have been able to sync. Positions only grow, unless a group is rewound.
 */
export class Positions {
  private committed: ReadonlyMap<string, number>;
  private firstDeadLetter: number;
  private readonly writer: GroupCommit<Advance>;

  private constructor(private readonly file: SlotFile) {
    const { groups, deadLettersFrom } = JSON.parse(file.text) as State;
    this.committed = new Map(groups);
    this.firstDeadLetter = deadLettersFrom;
    this.writer = new GroupCommit((advances) => this.write(advances));
  }

  static async open(fs: FileSystem, dir: string): Promise<Positions> {
    return new Positions(await SlotFile.open(fs, join(dir, 'positions'), JSON.stringify(EMPTY)));
  }

  /** Undefined for a group that never read. */
  of(group: string): number | undefined {
    return this.committed.get(group);
  }

  /** All groups that ever read. */
  get groups(): Iterable<readonly [group: string, offset: number]> {
    return this.committed;
  }

  /** The highest position of any group: every record before it was durable. */
  get highest(): number {
    return Math.max(0, ...this.committed.values());
  }

  get deadLettersFrom(): number {
    return this.firstDeadLetter;
  }

  /** The bytes of a positions file with what is durable now. */
  get content(): Buffer {
    return slotFileOf(this.file.text);
  }

  /** Resolves when the position is durable. @throws AppError `UNAVAILABLE` */
  async commit(group: string, offset: number): Promise<void> {
    await this.writer.submit({ group, offset, bytes: 0 });
  }

  /** Lowers the position of a group. Resolves when it is durable. @throws AppError `UNAVAILABLE` */
  async rewind(group: string, offset: number): Promise<void> {
    await this.writer.submit({ group, offset, isRewind: true, bytes: 0 });
  }

  /**
   * Resolves when it is durable that dead letters before `offset` are dropped.
   * @throws AppError `UNAVAILABLE`
   */
  async dropDeadLettersBefore(offset: number): Promise<void> {
    await this.writer.submit({ offset, bytes: 0 });
  }

  /** Resolves when nothing waits to be written. */
  idle(): Promise<void> {
    return this.writer.idle();
  }

  close(): Promise<void> {
    return this.file.close();
  }

  private async write(advances: readonly Advance[]): Promise<void> {
    const groups = new Map(this.committed);
    let deadLettersFrom = this.firstDeadLetter;
    for (const { group, offset, isRewind } of advances) {
      if (group === undefined) deadLettersFrom = Math.max(deadLettersFrom, offset);
      else if (isRewind) groups.set(group, Math.min(offset, groups.get(group) ?? offset));
      else groups.set(group, Math.max(offset, groups.get(group) ?? 0));
    }
    const state: State = { groups: [...groups], deadLettersFrom };
    await this.file.replace(JSON.stringify(state));
    this.committed = groups;
    this.firstDeadLetter = deadLettersFrom;
  }
}
