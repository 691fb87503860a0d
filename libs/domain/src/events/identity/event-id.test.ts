import { EVENT_NAMESPACE, sessionIdOf, spanEventId, traceSessionId, uuid5 } from './event-id.js';
import { canonicalUuid, isUuid } from './uuid-text.js';

const DNS = '6ba7b810-9dad-11d1-80b4-00c04fd430c8';

describe('derived ids', () => {
  it('are UUIDs of version 5, equal to those of other implementations', () => {
    expect(uuid5(DNS, 'www.example.com')).toBe('2ed6657d-e927-568b-95e1-2665a8aea6a2');
    expect(uuid5(DNS, 'python.org')).toBe('886313e1-3b8a-5372-9b90-0c9aee199e5d');
    expect(EVENT_NAMESPACE).toBe(uuid5('6ba7b811-9dad-11d1-80b4-00c04fd430c8', 'otlp-events/v1'));
  });

  it('are derived from the namespace and a name that starts with the project', () => {
    expect(sessionIdOf('p', 'chat-42')).toBe(uuid5(EVENT_NAMESPACE, 'p\nsession\nchat-42'));
    expect(traceSessionId('p', 'ab')).toBe(uuid5(EVENT_NAMESPACE, 'p\ntrace\nab'));
    expect(spanEventId('p', 'ab', 'cd')).toBe(uuid5(EVENT_NAMESPACE, 'p\nspan\nab\ncd'));
  });

  it('differ between projects that receive the same trace', () => {
    expect(spanEventId('p', 'ab', 'cd')).not.toBe(spanEventId('q', 'ab', 'cd'));
    expect(traceSessionId('p', 'ab')).not.toBe(traceSessionId('q', 'ab'));
  });

  it('are UUIDs for any name', () => {
    for (const name of ['', 'ü', '🚀', 'x'.repeat(10_000)]) expect(isUuid(sessionIdOf('p', name))).toBe(true);
  });
});

describe('a UUID', () => {
  it('is recognised by its format, in any version and case', () => {
    expect(isUuid('0B5F9D0C-7F0A-4F6E-9C1B-3F1F8F0A1D2E')).toBe(true);
    for (const text of [
      '',
      '123',
      '0b5f9d0c7f0a4f6e9c1b3f1f8f0a1d2e',
      '0b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2e\n',
      '{}',
    ]) {
      expect(isUuid(text)).toBe(false);
    }
  });

  it('has one canonical spelling', () => {
    expect(canonicalUuid('0B5F9D0C-7F0A-4F6E-9C1B-3F1F8F0A1D2E')).toBe(
      '0b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2e',
    );
  });
});
