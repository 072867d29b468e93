import type { ErrorTag } from '../errors.ts';
import { isSwathError } from '../errors.ts';
import type { AreaGeometry, Bounds, PointGeometry } from '../geo/index.ts';
import { unavailable } from './errors.ts';
import type { WeatherLineage, WeatherSeries, WeatherVariable } from './weather-series.ts';

/** The location of a request for weather. */
export type WeatherLocation = AreaGeometry | PointGeometry;

/** Heights of the ground above sea level, in metres; null where there is no elevation model. */
export interface Heights {
  at(lon: number, lat: number): Promise<number | null>;
  meanOf(bounds: Bounds): Promise<number | null>;
}

/** Weather of the past to be read. */
export interface HistoryRequest {
  readonly where: WeatherLocation;
  /** Local days as 2026-05-02, both included. */
  readonly from: string;
  readonly to: string;
  /** Hours that local midnight is ahead of UTC: days that the provider makes itself begin there. */
  readonly utcOffsetHours: number;
  readonly variables: readonly WeatherVariable[];
  /** Series of hours are needed, not of days. */
  readonly isHourly: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** A forecast to be read. */
export interface ForecastRequest {
  readonly where: WeatherLocation;
  /** Hours to read, from the start of the run. */
  readonly hours: number;
  /** The series begins here if the run began later; earlier runs fill these hours, where they are known. */
  readonly fromMs?: number;
  readonly nowMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** A series and its origin. */
export interface ProvidedWeather {
  readonly series: WeatherSeries;
  readonly lineage: WeatherLineage;
}

/** Local days of which weather is known, as 2026-05-02, both included. */
export interface WeatherExtent {
  readonly from: string;
  readonly to: string;
}

/** A source of weather. It throws when it cannot answer now, and then the next one is asked. */
export interface WeatherProvider {
  readonly name: string;
  /** Series of hours or of days; null where it has nothing for these days and this location. */
  readHistory(request: HistoryRequest): Promise<ProvidedWeather | null>;
  /** A series of hours that begins with the run, or at `fromMs`; null where it has no forecast that reaches beyond now. */
  readForecast(request: ForecastRequest): Promise<ProvidedWeather | null>;
  /** The days of a location that are stored; absent if nothing is stored, null where there are none. */
  readExtent?(where: WeatherLocation): Promise<WeatherExtent | null>;
}

/** Asks one provider after the other. Null when none has anything; throws when one that failed might have. */
export type AskProviders = <T>(
  question: (provider: WeatherProvider) => Promise<T | null>,
) => Promise<T | null>;

interface AskDeps {
  /** In the order in which they are asked. */
  readonly providers: readonly WeatherProvider[];
  /** Called when a provider could not answer; the next one is asked then. */
  readonly onFailure: (provider: string, error: unknown) => void;
}

/** Calls to a provider are paused for half a minute after failures in a row. */
const RETRY_AFTER_S = 30;

/** Errors in the request itself: another provider would not help. */
const OF_QUESTIONS: ReadonlySet<ErrorTag> = new Set(['bad-input', 'too-large', 'cancelled']);

/** Builds the function that asks providers in order. */
export const makeAskProviders =
  ({ providers, onFailure }: AskDeps): AskProviders =>
  async (question) => {
    let hasFailed = false;
    for (const provider of providers) {
      try {
        const answer = await question(provider);
        if (answer !== null) return answer;
      } catch (error) {
        if (isSwathError(error) && OF_QUESTIONS.has(error.tag)) throw error;
        hasFailed = true;
        onFailure(provider.name, error);
      }
    }
    if (!hasFailed) return null;
    const message = 'No provider of weather answers at the moment; try again later.';
    throw unavailable('weather-unavailable', message, { details: { retryAfterS: RETRY_AFTER_S } });
  };
