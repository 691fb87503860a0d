import { createLogger as createWinston, format, transports } from 'winston';

export const LOG_LEVELS = ['error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Fields of a log line: ids, counts, codes, durations. Never payloads, never secrets. */
export type LogFields = Readonly<Record<string, string | number | boolean | undefined>>;

export const LOG_FORMATS = ['json', 'text'] as const;
export type LogFormat = (typeof LOG_FORMATS)[number];

export interface LoggerOptions {
  readonly level: LogLevel;
  readonly service: string;
  /** Absent: `text` on a terminal, otherwise `json`. */
  readonly format?: LogFormat;
}

/** A logger whose level can be changed while the process runs. */
export interface LeveledLogger extends Logger {
  level: LogLevel;
}

/** Writes one line per call, JSON or text to standard error: a fixed phrase, and the variable parts as fields. */
export interface Logger {
  error(phrase: string, fields?: LogFields, cause?: unknown): void;
  warn(phrase: string, fields?: LogFields, cause?: unknown): void;
  info(phrase: string, fields?: LogFields): void;
  debug(phrase: string, fields?: LogFields): void;
}

/**
 * Standard output is reserved for what a person or a script reads (the address, the first key). Of a cause, only class, code and
 * stack frames are logged: the message of a driver's error may contain payloads.
 */
export function createLogger(options: LoggerOptions): LeveledLogger {
  const isText = (options.format ?? formatFor(process)) === 'text';
  const winston = createWinston({
    level: 'debug',
    defaultMeta: { service: options.service },
    format: format.combine(format.timestamp(), isText ? format.printf(textLine) : format.json()),
    transports: [new transports.Console({ stderrLevels: [...LOG_LEVELS] })],
  });
  // Compared here, because winston formats a line before it compares the level.
  let most = LOG_LEVELS.indexOf(options.level);
  const write = (level: LogLevel) => {
    const severity = LOG_LEVELS.indexOf(level);
    return (phrase: string, fields?: LogFields, cause?: unknown) => {
      if (severity > most) return;
      winston.log(level, phrase, { ...fields, ...(cause === undefined ? {} : describeCause(cause)) });
    };
  };
  return {
    error: write('error'),
    warn: write('warn'),
    info: write('info'),
    debug: write('debug'),
    get level() {
      return LOG_LEVELS[most] ?? options.level;
    },
    set level(level: LogLevel) {
      most = LOG_LEVELS.indexOf(level);
    },
  };
}

/** The parts of `process` that tell whether a person reads the log. */
export interface OutputStreams {
  readonly stdout: { readonly isTTY?: boolean };
  readonly stderr: { readonly isTTY?: boolean };
}

/** Returns `text` when both outputs are a terminal: a log that is redirected to a file is for machines. */
export function formatFor({ stdout, stderr }: OutputStreams): LogFormat {
  return stdout.isTTY === true && stderr.isTTY === true ? 'text' : 'json';
}

/** A line for a person: time, level, phrase, fields. Control characters are escaped. */
function textLine({
  timestamp,
  level,
  message,
  service: _service,
  ...fields
}: Record<string, unknown>): string {
  const time = String(timestamp).slice(11, 23);
  const texts = Object.entries(fields).map(([name, value]) => `${name}=${fieldText(value)}`);
  return [time, String(level).toUpperCase().padEnd(5), fieldText(message, /^[^\p{Cc}]*$/u), ...texts].join(
    '  ',
  );
}

function fieldText(value: unknown, plain = /^[^\p{Cc}\s"=]+$/u): string {
  return typeof value === 'string' && plain.test(value) ? value : (JSON.stringify(value) ?? '');
}

/** Returns class, code and stack frames of an error, without its message. */
export function describeCause(cause: unknown): LogFields {
  if (!(cause instanceof Error)) return { cause: typeof cause };
  const code =
    'code' in cause && (typeof cause.code === 'string' || typeof cause.code === 'number')
      ? cause.code
      : undefined;
  const frames = cause.stack
    ?.split('\n')
    .filter((line) => /^\s+at /.test(line))
    .slice(0, 8)
    .map((line) => line.trim());
  return { cause: chainOf(cause), code, at: frames?.join(' < ') };
}

function chainOf(error: Error): string {
  const inner = error.cause instanceof Error ? ` < ${chainOf(error.cause)}` : '';
  return `${error.constructor.name}${inner}`;
}
