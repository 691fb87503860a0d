import { readArguments } from './arguments.js';

describe('the arguments of the bench', () => {
  it.each([
    [[], { filter: '' }],
    [['ingest'], { filter: 'ingest' }],
    [['--against', 'main'], { filter: '', against: 'main' }],
    [['--against', 'main', 'OTLP, 1 span'], { filter: 'OTLP, 1 span', against: 'main' }],
    [['ingest', '--against', 'main'], { filter: 'ingest', against: 'main' }],
    [['search', '--hints=off'], { filter: 'search', hints: 'off' }],
  ])('are a name and what to compare with, in any order: %j', (given, expected) => {
    expect(readArguments(given)).toEqual(expected);
  });

  it.each([
    [['--against'], '--against needs a commit'],
    [['ingest', '--against'], '--against needs a commit'],
    [['--against', '--pairs'], '--against needs a commit'],
    [['--compare', 'main'], 'unknown argument'],
    [['search', '--hints=on'], 'unknown argument'],
    [['search', '--hints=off', '--against', 'main'], 'compare with one thing'],
    [['ingest', 'search'], 'unknown argument'],
  ])('are refused where nothing would be compared: %j', (given, message) => {
    expect(() => readArguments(given)).toThrow(message);
  });
});
