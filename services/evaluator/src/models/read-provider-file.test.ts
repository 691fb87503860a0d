import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError } from '@assay/runtime';
import { readProviderFile } from './read-provider-file.js';

const folder = mkdtempSync(join(tmpdir(), 'providers-'));
const file = join(folder, 'providers.json');
const read = (text: string) => {
  writeFileSync(file, text);
  return readProviderFile(file);
};
const openai = { api: 'openai', url: 'https://api.example.com/v1', apiKey: 'sk-canary-1' };

afterAll(() => rmSync(folder, { recursive: true }));

describe('readProviderFile', () => {
  it('returns the endpoints of the deployment and of projects', () => {
    const azure = { api: 'azure', url: 'https://azure.example.com/', apiVersion: '2024-10-21' };
    const { providers, projects } = read(
      JSON.stringify({ providers: { openai }, projects: { p1: { azure } } }),
    );
    expect(providers.get('openai')).toEqual(openai);
    expect(projects.get('p1')?.get('azure')).toEqual({ ...azure, url: 'https://azure.example.com' });
    expect(projects.get('constructor')).toBeUndefined();
    expect(read('{}').providers.size).toBe(0);
    expect(readProviderFile(undefined).projects.size).toBe(0);
  });

  it.each([
    ['text that is not JSON', '{"providers": sk-canary-1', 'is not valid JSON'],
    ['a list', '[]', 'the file must be an object'],
    ['an unknown field', '{"provider": {}}', 'the file may have only the fields providers, projects'],
    ['an endpoint that is a text', '{"providers": {"a": "sk-canary-1"}}', 'providers.a must be an object'],
    [
      'an unknown API',
      JSON.stringify({ providers: { a: { ...openai, api: 'sk-canary-1' } } }),
      'providers.a.api must be one of',
    ],
    [
      'a URL of another protocol',
      JSON.stringify({ projects: { p: { a: { ...openai, url: 'file:///sk-canary-1' } } } }),
      'projects.p.a.url must be an http or https URL',
    ],
    [
      'a key that is a number',
      JSON.stringify({ providers: { a: { ...openai, apiKey: 1 } } }),
      'providers.a.apiKey must be a text',
    ],
  ])('rejects %s and quotes no value', (_, text, message) => {
    expect(() => read(text)).toThrow(ConfigError);
    expect(() => read(text)).toThrow(message);
    expect(() => read(text)).not.toThrow('sk-canary-1');
  });

  it('rejects a file that cannot be read', () => {
    expect(() => readProviderFile(`${file}.missing`)).toThrow('cannot be read');
  });
});
