import { CONVENTIONS } from '../conventions/catalogue.js';
import { mappingDocument } from './mapping-document.js';

const document = mappingDocument();

describe('the mapping document', () => {
  it('has a row for every attribute of every convention', () => {
    const keys = CONVENTIONS.flatMap((convention) => convention.rules.map((rule) => rule.key));
    expect(keys.filter((key) => !document.includes(`| \`${key}\` |`))).toEqual([]);
  });

  it('says where an attribute is found', () => {
    expect(document).toContain(
      '| `gen_ai.usage.input_tokens` | `metadata.prompt_tokens` | Input tokens, cached ones included |',
    );
    expect(document).toContain('| `gen_ai.input.messages` | `inputs.chat_history` | Messages that went in |');
    expect(document).toContain(
      '| `gen_ai.response.model` | `metadata.response_model`, `config.model` | Model that answered |',
    );
  });

  it('lists what names a session in the order that counts', () => {
    expect(document).toMatch(
      /\*\*Session id\*\*: `honeyhive_session_id`, `honeyhive.session_id`, .*`session.id`, .*`gen_ai.conversation.id`/,
    );
  });

  it('has no cell that breaks its table', () => {
    const rows = document.split('\n').filter((line) => line.startsWith('|'));
    expect(rows.filter((line) => line.split('|').length !== 5)).toEqual([]);
  });
});
