import type { TtlCache } from '../../async/index.ts';
import type { OpenMeteoApi } from './hourly-variables.ts';
import type { ServerAccess } from './server-access.ts';
import type { HourSteps } from './to-steps.ts';

/** Hours as they are cached, with the model run that they are of. */
export interface ReadHours {
  /** Null where the model has nothing. */
  readonly steps: HourSteps | null;
  /** Null if it is not known. */
  readonly runMs: number | null;
}

/** What reads histories and forecasts. */
export interface ReaderContext {
  readonly access: ServerAccess;
  /** Each reader says how long its answers may be used. */
  readonly cache: TtlCache<ReadHours>;
  /** Names of `models=`; null for the server's own choice. */
  readonly models: Readonly<Record<OpenMeteoApi, string | null>>;
  readonly nowMs: () => number;
}
