/** The codes of this room's errors, by kind. */
import { errorsOf } from '../errors.ts';

export const { badInput, notAllowed, conflict, notFound, sourceBroken } = errorsOf({
  badInput: ['bad-sign-in', 'own-role'],
  notAllowed: ['not-admitted', 'person-blocked'],
  conflict: ['roles-from-provider'],
  notFound: ['unknown-person'],
  sourceBroken: ['provider-failed', 'bad-id-token'],
});
