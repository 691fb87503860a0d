import { ApiError } from '../api/call.js';
import { writeItem, type Judgement } from '../api/queues.js';
import { earlierItems } from './earlier-items.js';
import { scoresOf, type Field, type FieldValue } from './fields.js';
import { NOTHING_TYPED, type Typed, type WorkItem } from './item.js';
import { findLoss, findObstacle, lease, regain, release, type Obstacle, type Worker } from './leases.js';
import { INITIAL, MAX_DONE, type DoneItem, type WorkState } from './work-state.js';

/** Open items can appear at any time. */
const POLL_MS = 5_000;
/** An open item that others come before is leased when it is submitted; until then, this often is tried. */
const WITHOUT_LEASE_MS = 60_000;

/** One person's work on a queue in one tab: the item on the screen, the one leased ahead, those put off, and those done. */
export class Work {
  #state = INITIAL;
  #listeners = new Set<() => void>();
  #ahead: WorkItem[] = [];
  #later: WorkItem[] = [];
  readonly #drafts = new Map<string, Typed>();
  #filling: Promise<void> | undefined;
  #writing: Promise<void> = Promise.resolve();
  #unwritten = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isStopped = false;
  #asksEarlier = false;
  #hasEarlier = false;

  constructor(
    private readonly worker: Worker,
    /** Called with an item that is about to be reviewing. */
    private readonly onAhead: (item: WorkItem) => void,
  ) {}

  readonly state = (): WorkState => this.#state;
  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  start(): void {
    this.#isStopped = false;
    void this.#fill();
  }

  /** Releases every lease of the tab. */
  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    release(this.worker, [...this.#held(), ...this.#later]);
    [this.#ahead, this.#later, this.#state] = [[], [], { ...INITIAL, done: this.#state.done }];
  }

  readonly retry = (): void => {
    this.#set({ error: undefined });
    void this.#fill();
  };

  setValue(name: string, value: FieldValue | undefined): void {
    const { [name]: _before, ...others } = this.#state.draft.values;
    this.#setDraft({ values: value === undefined ? others : { ...others, [name]: value } });
  }

  setComment(comment: string): void {
    this.#setDraft({ comment });
  }

  submit(fields: readonly Field[]): void {
    const { item, draft, isOver } = this.#state;
    if (item === undefined) return;
    const comment = draft.comment.trim();
    const metrics = scoresOf(fields, draft.values);
    const judgement = { status: 'done' as const, metrics, ...(comment !== '' && { comment }) };
    if (isOver) this.#advance();
    else this.#write(item, draft, judgement);
  }

  skip(reason: string): void {
    const { item, draft, isOver } = this.#state;
    if (item === undefined) return;
    const judgement = { status: 'skipped' as const, ...(reason.trim() !== '' && { reason: reason.trim() }) };
    if (isOver) this.#advance();
    else this.#write(item, draft, judgement);
  }

  /** Puts the item off. Its lease stays, so that no other person gets it before it ends. */
  putOff(): void {
    const { item, lost, isOver } = this.#state;
    if (item === undefined) return;
    if (lost === undefined && !isOver) this.#later.push(item);
    this.#advance();
  }

  /** Shows the first item that was put off, whose lease is still kept. */
  readonly takeLater = (): void => {
    const item = this.#later.shift();
    if (item !== undefined) this.#show(item);
  };

  /** Shows the item done before, or after, the one on the screen. */
  showDone(step: -1 | 1): void {
    const { done, reviewing } = this.#state;
    const next = (reviewing ?? done.length) + step;
    if (next >= 0) this.#set({ reviewing: next >= done.length ? undefined : next });
    else if (!this.#hasEarlier) void this.#showEarlier();
  }

  /** Shows the last item done before the page was opened. When they cannot be read, the next key asks again. */
  async #showEarlier(): Promise<void> {
    if (this.#asksEarlier) return;
    this.#asksEarlier = true;
    const before = this.#state;
    try {
      const earlier = await earlierItems(this.worker);
      // What was submitted while they were read is in both.
      await this.#writing;
      const { done, reviewing, item } = this.#state;
      const known = new Set([...done.map(({ item }) => item), ...this.#held()].map(({ eventId }) => eventId));
      const more = earlier.filter(({ item }) => !known.has(item.eventId));
      this.#hasEarlier = true;
      this.#set({ done: [...more, ...done], reviewing: moved(reviewing, more.length) });
      const hasStayed = before.item === undefined || before.item.eventId === item?.eventId;
      if (hasStayed && reviewing === before.reviewing) this.showDone(-1);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      this.#set({ saved: { kind: 'unread', message } });
    } finally {
      this.#asksEarlier = false;
    }
  }

  /** Opens the last submitted item again, or the one that is looked at, with what was said about it. */
  async undo(): Promise<void> {
    await this.#writing;
    const { done, reviewing } = this.#state;
    const target = done[reviewing ?? done.length - 1];
    if (target === undefined) return;
    const { annotator } = this.worker;
    const { item, draft, at, skipped } = target;
    try {
      const again = { status: 'pending' as const, annotator, version: item.version };
      const { version } = await writeItem(this.worker.queue, item.eventId, again);
      const before = this.#state.item;
      if (before !== undefined) this.#ahead.unshift(before);
      this.#drafts.set(item.eventId, draft);
      this.#set({ done: this.#state.done.filter((one) => one !== target) });
      this.#show({ ...item, version, leaseEndsAt: 0 });
      this.#set({ saved: { kind: 'reopened', savedAt: at, skipped } });
    } catch (error) {
      const { message } = await this.#obstacle(error, item);
      this.#set({ saved: { kind: 'failed', message } });
    }
  }

  /** Leases the item again when its time is over. */
  tick(now: number): void {
    const { item, lost, isOver } = this.#state;
    if (item !== undefined && item.leaseEndsAt <= now && lost === undefined && !isOver) this.#regain(item);
  }

  #held(): readonly WorkItem[] {
    return this.#state.item === undefined ? this.#ahead : [this.#state.item, ...this.#ahead];
  }

  #write(item: WorkItem, draft: Typed, judgement: Judgement): void {
    const skipped = judgement.status === 'skipped';
    const { annotator, queue } = this.worker;
    const sent = { ...judgement, annotator, version: item.version };
    this.#set({ saved: { kind: 'saving' } });
    const written = writeItem(queue, item.eventId, sent).then(
      ({ version, status }) =>
        this.#onWritten({ item: { ...item, version }, draft, at: Date.now(), skipped }, status),
      (error: unknown) => this.#onRefused(error, item, draft),
    );
    this.#unwritten++;
    const ended = written.finally(() => this.#unwritten--);
    this.#writing = Promise.all([this.#writing, ended]).then(() => undefined);
    this.#advance();
  }

  #onWritten(one: DoneItem, status: string): void {
    this.#drafts.delete(one.item.eventId);
    const done = [...this.#state.done, one];
    const over = Math.max(0, done.length - MAX_DONE);
    const { at, skipped } = one;
    this.#set({
      ...{ done: done.slice(over), reviewing: moved(this.#state.reviewing, -over) },
      saved: { kind: 'saved', at, skipped, waits: status === 'pending' },
    });
  }

  /** The item returns to the screen with what was typed. */
  async #onRefused(error: unknown, item: WorkItem, draft: Typed): Promise<void> {
    const { message, isOver, version = item.version } = await this.#obstacle(error, item);
    if (this.#isStopped) return;
    const before = this.#state.item;
    if (before !== undefined) this.#ahead.unshift(before);
    this.#drafts.set(item.eventId, draft);
    this.#show({ ...item, version });
    this.#set({ isOver, saved: { kind: 'failed', message } });
  }

  async #obstacle(error: unknown, { eventId }: WorkItem): Promise<Obstacle> {
    const status = error instanceof ApiError ? error.status : undefined;
    const message = error instanceof Error ? error.message : String(error);
    const known: Obstacle = { message, isOver: status === 404, version: undefined };
    if (status !== 409 && status !== 404) return known;
    const find = status === 409 ? findObstacle : findLoss;
    const found = await find(this.worker, eventId).catch(() => known);
    if (found.isQueueGone) this.#onQueueGone();
    return found;
  }

  #advance(): void {
    if (this.#state.isQueueGone) this.#ahead = this.#ahead.filter(({ eventId }) => this.#drafts.has(eventId));
    const next = this.#ahead.shift();
    if (next === undefined)
      this.#set({ item: undefined, draft: NOTHING_TYPED, isOver: false, lost: undefined });
    else this.#show(next);
    void this.#fill();
  }

  #show(item: WorkItem): void {
    const draft = this.#drafts.get(item.eventId) ?? NOTHING_TYPED;
    const isOver = this.#state.isQueueGone;
    this.#set({ item, draft, isOver, lost: undefined, reviewing: undefined, isEmpty: false });
    this.tick(Date.now());
  }

  /** Leases until there is an item on the screen and one ahead; one request at a time. */
  #fill(): Promise<void> {
    clearTimeout(this.#timer);
    if (this.#state.isQueueGone) {
      if (this.#state.item === undefined) this.#set({ isEmpty: true });
      return Promise.resolve();
    }
    this.#filling ??= this.#leaseMissing()
      .catch((error: unknown) => this.#onLeaseRefused(error))
      .finally(() => (this.#filling = undefined));
    return this.#filling;
  }

  async #leaseMissing(): Promise<void> {
    while (!this.#isStopped && (this.#state.item === undefined || this.#ahead.length === 0)) {
      const { item, counts } = await lease(this.worker);
      // The queue was deleted while the item was leased: nothing can be saved about it.
      if (this.#state.isQueueGone) return;
      const own = this.#held().length + this.#later.length + this.#unwritten + (item ? 1 : 0);
      this.#set({ counts, others: Math.max(0, counts.leased - own) });
      if (item === undefined) return this.#onNoneOpen();
      if (this.#isStopped) return release(this.worker, [item]);
      this.#later = this.#later.filter(({ eventId }) => eventId !== item.eventId);
      this.onAhead(item);
      if (this.#state.item === undefined) this.#show(item);
      else this.#ahead.push(item);
    }
  }

  #onNoneOpen(): void {
    if (this.#isStopped) return;
    if (this.#state.item === undefined) this.#set({ isEmpty: true });
    this.#timer = setTimeout(() => void this.#fill(), POLL_MS);
  }

  /** A person who has put off as many as the API leases continues with the first of them. */
  #onLeaseRefused(error: unknown): void {
    if (this.#isStopped) return;
    if (isMissing(error)) return this.#onQueueGone();
    if (this.#state.item !== undefined) return;
    if (error instanceof ApiError && error.status === 409 && this.#later.length > 0) this.takeLater();
    else this.#set({ error: error instanceof Error ? error : new Error(String(error)) });
  }

  /** Only what was typed is still shown, one item after the other. */
  #onQueueGone(): void {
    clearTimeout(this.#timer);
    this.#ahead.push(...this.#later.splice(0));
    const isEmpty = this.#state.item === undefined;
    this.#set({ isQueueGone: true, isOver: !isEmpty, isEmpty });
  }

  /** What was typed stays. Items that are leased on the way wait behind this one. */
  #regain(item: WorkItem): void {
    const retryAt = Date.now() + POLL_MS;
    this.#set({ item: { ...item, leaseEndsAt: retryAt } });
    void (this.#filling ?? Promise.resolve())
      .then(() => (this.#filling = this.#leaseAgain(item).finally(() => (this.#filling = undefined))))
      .catch((error: unknown) => isMissing(error) && this.#onQueueGone());
  }

  async #leaseAgain(item: WorkItem): Promise<void> {
    const { item: regained, others } = await regain(this.worker, item);
    if (this.#isStopped) return release(this.worker, regained ? [regained, ...others] : others);
    const kept = this.#ahead.length === 0 ? 1 : 0;
    this.#ahead.push(...others.slice(0, kept));
    release(this.worker, others.slice(kept));
    if (this.#state.item?.eventId !== item.eventId) return void (regained && this.#ahead.push(regained));
    if (regained) return this.#renew(regained);
    const { message, isOver, version, isQueueGone } = await findObstacle(this.worker, item.eventId);
    if (isQueueGone) this.#onQueueGone();
    if (this.#state.item?.eventId !== item.eventId) return;
    if (version === undefined) this.#set({ lost: message, isOver });
    else this.#renew({ version, leaseEndsAt: Date.now() + WITHOUT_LEASE_MS });
  }

  #renew({ version, leaseEndsAt }: Pick<WorkItem, 'version' | 'leaseEndsAt'>): void {
    const { item } = this.#state;
    if (item !== undefined) this.#set({ item: { ...item, version, leaseEndsAt } });
  }

  #setDraft(change: Partial<Typed>): void {
    const { item, draft } = this.#state;
    if (item === undefined) return;
    const changed = { ...draft, ...change };
    this.#drafts.set(item.eventId, changed);
    this.#set({ draft: changed });
  }

  #set(change: Partial<WorkState>): void {
    const later = this.#later;
    const laterAt = later.length === 0 ? undefined : Math.min(...later.map(({ leaseEndsAt }) => leaseEndsAt));
    this.#state = { ...this.#state, ...change, later: later.length, laterAt };
    for (const listener of this.#listeners) listener();
  }
}

const isMissing = (error: unknown) => error instanceof ApiError && error.status === 404;

/** Where the item that is looked at is, when so many come before it. */
const moved = (reviewing: number | undefined, by: number) =>
  reviewing === undefined ? undefined : Math.max(0, reviewing + by);
