import { Type } from '@sinclair/typebox';
import { uuid } from '../../schema/fields.js';

/** Path parameters of the routes of one session. */
export const sessionPath = Type.Object({ session_id: uuid('Id of the session.') });
