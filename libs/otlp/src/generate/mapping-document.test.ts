import { CONVENTIONS } from '../conventions/catalogue.js';
import { mappingDocument } from './mapping-document.js';

const document = mappingDocument();

describe('mapping document', () => {
  it('contains a row for every attribute of every convention', () => {
    const keys = CONVENTIONS.flatMap((convention) => convention.rules.map((rule) => rule.key));
    expect(keys.filter((key) => !document.includes(`| \`${key}\` |`))).toEqual([]);
  });

  it('states where an attribute is stored', () => {
    expect(document).toContain(
      '| `gen_ai.usage.input_tokens` | `metadata.prompt_tokens` | Input tokens, including cached ones |',
    );
    expect(document).toContain('| `gen_ai.input.messages` | `inputs.chat_history` | Input messages |');
    expect(document).toContain(
      '| `gen_ai.response.model` | `metadata.response_model`, `config.model` | Model that answered |',
    );
  });

  it('lists the attributes that set the session id in order of precedence', () => {
    expect(document).toMatch(
      /\*\*Session id\*\*: `honeyhive_session_id`, `honeyhive.session_id`, .*`session.id`, .*`gen_ai.conversation.id`/,
    );
  });

  it('contains only well-formed table rows', () => {
    const rows = document.split('\n').filter((line) => line.startsWith('|'));
    expect(rows.filter((line) => line.split('|').length !== 5)).toEqual([]);
  });
});
