import { LOG_LEVELS, type LeveledLogger, type LogLevel } from './logger.js';

/** The level of the log, and when a change of it ends. */
export interface LogLevelState {
  readonly level: LogLevel;
  /** Level of the configuration, to which the log returns. */
  readonly configured: LogLevel;
  /** ISO 8601; null while the level is the configured one. */
  readonly expiresAt: string | null;
}

/** Changes the level of a logger for a limited time. */
export class TemporaryLogLevel {
  readonly #logger: LeveledLogger;
  readonly #configured: LogLevel;
  #timer: NodeJS.Timeout | undefined;
  #expiresAt: string | null = null;

  constructor(logger: LeveledLogger) {
    this.#logger = logger;
    this.#configured = logger.level;
  }

  get state(): LogLevelState {
    return { level: this.#logger.level, configured: this.#configured, expiresAt: this.#expiresAt };
  }

  /** Sets the level for this time. A later call replaces the level and the time of an earlier one. */
  set(level: LogLevel, seconds: number): LogLevelState {
    clearTimeout(this.#timer);
    this.#expiresAt = new Date(Date.now() + seconds * 1_000).toISOString();
    this.#timer = setTimeout(() => this.#reset(), seconds * 1_000).unref();
    this.#change(level, () => this.#logger.warn('log level changed', { level, seconds }));
    return this.state;
  }

  #reset(): void {
    const level = this.#configured;
    this.#expiresAt = null;
    this.#change(level, () => this.#logger.warn('log level is the configured one again', { level }));
  }

  /** The change is logged at the more detailed of both levels. */
  #change(level: LogLevel, announce: () => void): void {
    const before = this.#logger.level;
    if (LOG_LEVELS.indexOf(level) > LOG_LEVELS.indexOf(before)) this.#logger.level = level;
    announce();
    this.#logger.level = level;
  }
}
