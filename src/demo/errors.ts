/** The codes of this room's errors, by kind. */
import { errorsOf } from '../errors.ts';

export const { conflict, cancelled, internal } = errorsOf({
  conflict: ['demo-busy'],
  cancelled: ['demo-stopped'],
  internal: ['demo-not-ingested'],
});
