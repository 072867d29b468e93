import type { SwathError } from '../../errors.ts';
import { conflict } from '../../errors.ts';

/** Refuses files whose model is not stored: it was removed while they were ingested. */
export const unknownDem = (name: string): SwathError =>
  conflict('unknown-dem', `There is no elevation model "${name}": its files cannot be stored.`);
