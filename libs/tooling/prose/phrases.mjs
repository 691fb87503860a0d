/**
 * Phrases that documentation, comments, messages and test titles do not use, each with what to write instead.
 * docs/style-guide.md explains why; `allowed.json` lists the exceptions.
 */
export const PHRASES = [
  [/\btold\b/, 'notified, forwarded, or name what is known'],
  [/\b(?<!right )away\b/, 'unavailable, unreachable, removed'],
  [/\b(?:goes|go|going|went) on\b/, 'continues'],
  [/\bwho(?:m)?ever\b/, 'name the subject'],
  [/\b(?:becomes?|became|become) of\b/, 'say what happens'],
  [/\b(?:lies|lie) in\b/, 'is in, is stored in'],
  [/\b(?:gives?|gave|given|giving) way\b/, 'is replaced, is relocated'],
  [/\bmend(?:s|ed|ing)?\b/, 'fix, repair'],
  [/\b(?:sets?|setting) aside\b/, 'dead-letter'],
  [/\b(?:somebody|nobody|someone|no one)\b/, 'name the subject: a client, a user, no caller'],
  [/\bby (?:it|them)sel(?:f|ves)\b/, 'automatically, or name the subject'],
  [/\bfor good\b/, 'permanently'],
  [/\bat once\b/, 'immediately, atomically, concurrently or together'],
  [/\bas it was\b/, 'unchanged'],
  [/\band so (?:is|are|does|do)\b/, 'a sentence of its own'],
  [/\bthe word of\b/, 'name the token or the claim'],
  [/\bpass(?:es|ed|ing)? (?:it |them )?(?:on|back)\b/, 'proxy, forward'],
];

/** Names that a declaration does not use, each with the field's term. */
export const NAMES = [
  [/^(?:answers?|answer[A-Z]\w*|Answer\w*)$/, 'response'],
  [
    /^(?:Pieces|inPieces|atOnce|Pause|decodingTraces|parsingJson)$/,
    'Steps, runCooperatively, runSync, yieldToEventLoop',
  ],
  [/^(?:FairTurns|FairWork|Turns|ProjectQueue)$/, 'FairScheduler, ScheduledTask, FairQueue'],
  [/^(?:PassOn|passOn\w*|passBack\w*)$/, 'proxy, createProxy'],
  [/^(?:carryOut|said)$/, 'handle, requestParts'],
  [/^(?:told(?:[A-Z]\w*)?|Told\w*)$/, 'forwarded, ForwardedEvent'],
  [/^(?:Asker|Asking|Deed|Doer)$/, 'RequestActor, OperationContext, AuditAction, Actor'],
  [/^bindChange$/, 'bindAudited'],
  [
    /^(?:RecordsInProject|Owned|shown|checkRoom|MOST_OF_A_KIND)$/,
    'ProjectScopedCollection, ProjectOwned, withoutPrefix, assertQuota',
  ],
  [/^replaceUntilDone$/, 'updateWithRetry'],
  [/^(?:keepEvents|keepSome|keepBeside)$/, 'upsertEvents, insertBatch, upsertConflicting'],
  [/^(?:Brake|setAside\w*)$/, 'FailureBreaker, deadLetter'],
  [/^(?:LogReading|KafkaReading|ReadLoop)$/, 'Consumer, KafkaConsumer, ConsumerLoop'],
  [/^WakeUp$/, 'Signal'],
  [/^useOwnEncoding$/, 'patchProduceEncoder'],
  [/^(?:Placed\w*|places?)$/, 'LogPosition, offset, RowLocation, JsonPosition, precedence'],
  [/^(?:marks?|marksAmong|Marks?)$/, 'ChangeFlags, readChangeFlags'],
  [
    /^(?:settleRows|Settled|gone(?:[A-Z]\w*)?|FOR_GOOD|homeOfStrayed|strayed|keyText)$/,
    'reconcileMovedRows, Reconciliation, deleted',
  ],
  [
    /^(?:KnownKeys|KnownSessions|KnownRequests|RecentStates)$/,
    'EventIdFilter, SessionCache, IdempotencyCache, EventStateCache',
  ],
  [
    /^(?:freshlyAnswered|checkTurning|watchReader|redactionOf)$/,
    'respondAfterWait, checkReaderHealth, readerMetrics, redactionFromConfig',
  ],
  [/^acceptOnce$/, 'withIdempotency'],
  [
    /^(?:AT_ONCE|MOST_\w+|LOOK_EVERY_MS|LEFT_ALONE_MS|FEWEST|LONGEST_RUN|SANE_ID)$/,
    'BATCH_SIZE, MAX_*, POLL_INTERVAL_MS, COOLDOWN_MS, MIN_SAMPLES, MAX_CONSECUTIVE',
  ],
  [
    /^(?:SchemaShelf|fitQuery|Draft|offer|propose|Leftover|signs|verdict)$/,
    'SchemaRegistry, coerceQuery, SpanBuilder, assign, UnmappedAttribute, detectors, evaluation',
  ],
  [/^(?:Link|lend|giveBack)$/, 'ChdbConnection, ConnectionPool, acquire, release'],
  [/^(?:Closing|openAll|stopFirst)$/, 'ShutdownStack, startWithRetry, stopOnFailure'],
  [/^(?:until|takeAway)$/, 'waitFor, disconnect'],
];

/** File names that a package does not use. */
export const FILE_NAMES = [
  [/(?:^|\/)[a-z-]+-of\.ts$/, '*-repository.ts'],
  [/(?:^|\/)own-encoding\.ts$/, 'kafkajs-produce-patch.ts'],
];
