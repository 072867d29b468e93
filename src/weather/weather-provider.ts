import type { AreaGeometry, Bounds, PointGeometry } from '../geo/index.ts';
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
