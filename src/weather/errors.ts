/** The codes of this room's errors, by kind. */
import { errorsOf } from '../errors.ts';

export const { badInput, unsupported, notFound, conflict, tooLarge, unavailable, sourceBroken, internal } =
  errorsOf({
    badInput: ['bad-days', 'bad-table'],
    unsupported: ['no-run', 'no-variable', 'weather-units'],
    notFound: ['no-files'],
    conflict: ['no-times', 'station-step', 'stations-busy'],
    tooLarge: ['table-too-large', 'table-too-long', 'too-many-stations'],
    unavailable: ['weather-unavailable'],
    sourceBroken: ['stations-damaged', 'weather-values'],
    internal: ['no-total'],
  });
