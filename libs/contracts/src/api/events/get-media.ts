import { Type } from '@sinclair/typebox';
import { defineRoute } from '../../route.js';
import { openObject } from '../../schema/fields.js';

export const getMedia = defineRoute({
  operation: 'getMedia',
  method: 'GET',
  path: '/v1/media/{hash}',
  owner: 'data-plane',
  access: 'project',
  tag: 'Events',
  summary: 'Read the content of a large base64 text of events, whole or in byte ranges',
  params: Type.Object({
    hash: Type.String({
      pattern: '^[0-9a-f]{64}$',
      description: 'SHA-256 of the content, in hexadecimal digits.',
      examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
    }),
  }),
  response: openObject('The content, of the media type that it was sent with.', {}),
});
