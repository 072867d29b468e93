import type { SwathError } from '../../../errors.ts';
import type { GribField } from './grib-field.ts';

/** What was read of a message. */
export interface ReadMessage {
  /** Offset of the first byte after it. */
  readonly end: number;
  readonly fields: readonly GribField[];
  /** Why a field of it was left out; null if all were understood. */
  readonly refusal: SwathError | null;
}
