import { Type, type Static } from '@sinclair/typebox';
import { annotator } from '../queues/queue-event.js';
import { choice, flag, listOf, text, textList, textOrNull } from '../../schema/fields.js';

/** Header that names the project of a request which the session's cookie authenticates. */
export const CONSOLE_PROJECT_HEADER = 'assay-project';

/** Body of `POST /console/session`: a key, or the code of a link; or the name alone, to change it in a session. */
export const signInRequest = Type.Object(
  {
    api_key: Type.Optional(text('Key of a project.', 'hh_fgdp_...', { minLength: 1, maxLength: 512 })),
    code: Type.Optional(text('Code of a link that signs in.', 'Zm9v...', { minLength: 1, maxLength: 200 })),
    annotator: Type.Optional(annotator()),
  },
  { $id: 'SignInRequest', description: 'How a person signs in.', additionalProperties: false },
);
export type SignInRequest = Static<typeof signInRequest>;

/** Header of a request that the cookie of unlocked administration authenticates: `true`. */
export const ADMINISTRATION_HEADER = 'assay-administration';

/** Body of `POST /console/session/administration`. */
export const unlockAdministrationRequest = Type.Object(
  { admin_token: text('Token of an administrator.', 'adm...', { minLength: 1, maxLength: 1024 }) },
  {
    $id: 'UnlockAdministrationRequest',
    description: 'How a signed-in person unlocks administration.',
    additionalProperties: false,
  },
);
export type UnlockAdministrationRequest = Static<typeof unlockAdministrationRequest>;

/** Body of the responses of `/console/session`. */
export const consoleSession = Type.Object(
  {
    projects: listOf(
      Type.Object(
        {
          id: text('Id of the project.', '65c13dbbd65fb876b7886cdb'),
          name: text('Name of the project.', 'support-bot'),
          key_id: text('Id of the key that the person signed in with.', '8Jx2m0aQ4bYv7LkT1sWn5cRe'),
          permissions: Type.Unsafe<readonly string[] | null>({
            type: ['array', 'null'],
            items: { type: 'string' },
            description: 'The only permissions of the key; null: all.',
            examples: [['events:read']],
          }),
          expires_at: text(
            'When the session of the project ends, ISO 8601: its key expires, or has to be entered again.',
            '2026-11-08T00:00:00.000Z',
          ),
        },
        { description: 'A project that the person has signed in to.' },
      ),
      'The projects, in the order of their names.',
    ),
    project: text('Id of the project of requests that name none.', '65c13dbbd65fb876b7886cdb'),
    annotator: textOrNull('Name under which the person annotates; null: none is known.', 'ada'),
    person: textOrNull(
      'Name of the person who has signed in with the identity provider; null: by keys.',
      'ada@example.com',
    ),
    administration_until: textOrNull(
      'Until when administration is unlocked, ISO 8601; null: it is locked.',
      null,
    ),
    plane: choice(
      ['standalone', 'data-plane', 'control-plane'] as const,
      'The process that serves the console.',
      'standalone',
    ),
    redact_values: flag(
      'Whether values do not leave the data plane; on the control plane, whether it has none.',
      false,
    ),
    version: text('Version of Assay.', '0.1.0'),
    capabilities: textList('Operations of the API that this process serves to the console, sorted.', [
      'getSessionTree',
      'pageEvents',
    ]),
    data_plane_url: textOrNull(
      'Address of the console that has the values; null: this one, or it is not known.',
      null,
    ),
  },
  { $id: 'ConsoleSession', description: 'What a person has signed in to.' },
);
export type ConsoleSession = Static<typeof consoleSession>;
