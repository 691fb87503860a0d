import { LOG_LEVELS, type LeveledLogger, type LogLevel } from './logger.js';
import { TemporaryLogLevel } from './temporary-log-level.js';

/** A logger that keeps the phrases of the lines that it writes. */
function recordingLogger(level: LogLevel): { readonly logger: LeveledLogger; readonly lines: string[] } {
  const lines: string[] = [];
  const write = (severity: LogLevel) => (phrase: string) => {
    if (LOG_LEVELS.indexOf(severity) <= LOG_LEVELS.indexOf(logger.level)) lines.push(phrase);
  };
  const logger: LeveledLogger = {
    level,
    ...{ error: write('error'), warn: write('warn'), info: write('info'), debug: write('debug') },
  };
  return { logger, lines };
}

describe('a level of the log that is set for a while', () => {
  const CHANGED = 'log level changed';
  const RESET = 'log level is the configured one again';
  beforeEach(() => jest.useFakeTimers({ now: 0 }));
  afterEach(() => jest.useRealTimers());

  it('holds for its time, and then the configured one holds again', () => {
    const { logger, lines } = recordingLogger('info');
    const temporary = new TemporaryLogLevel(logger);
    expect(temporary.state).toEqual({ level: 'info', configured: 'info', expiresAt: null });
    const expiresAt = '1970-01-01T00:01:00.000Z';
    expect(temporary.set('debug', 60)).toEqual({ level: 'debug', configured: 'info', expiresAt });
    jest.advanceTimersByTime(59_999);
    logger.debug('within the time');
    jest.advanceTimersByTime(1);
    logger.debug('after the time');
    expect(temporary.state).toEqual({ level: 'info', configured: 'info', expiresAt: null });
    expect(lines).toEqual([CHANGED, 'within the time', RESET]);
  });

  it('is replaced, with its time, by a later one', () => {
    const { logger } = recordingLogger('info');
    const temporary = new TemporaryLogLevel(logger);
    temporary.set('debug', 10);
    jest.advanceTimersByTime(9_000);
    temporary.set('warn', 10);
    jest.advanceTimersByTime(9_000);
    expect(temporary.state).toMatchObject({ level: 'warn', configured: 'info' });
    jest.advanceTimersByTime(1_000);
    expect(temporary.state).toEqual({ level: 'info', configured: 'info', expiresAt: null });
  });

  it('is logged in both directions when one of both levels omits warnings', () => {
    const { logger, lines } = recordingLogger('warn');
    new TemporaryLogLevel(logger).set('error', 1);
    logger.warn('omitted');
    jest.advanceTimersByTime(1_000);
    expect(lines).toEqual([CHANGED, RESET]);
  });
});
