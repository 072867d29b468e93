/** The codes of this room's errors, by kind. */
import { errorsOf } from '../errors.ts';

export const { badInput, notFound } = errorsOf({
  badInput: ['export-not-written', 'report-not-written', 'unknown-command', 'usage'],
  notFound: ['unknown-key'],
});
