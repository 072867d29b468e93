import type { WeatherLocation } from './weather-provider.ts';
import type { WeatherLineage, WeatherVariable } from './weather-series.ts';

/** Further values of a day, computed on request. */
export type DerivedField =
  | 'growingDegreeDays'
  | 'growingDegreeSum'
  | 'referenceEvapotranspiration'
  | 'waterBalance'
  | 'waterBalanceSum';

/** Days of weather to be read. */
export interface DaysRequest {
  readonly where: WeatherLocation;
  /** Local days as 2026-05-02, both included. */
  readonly from: string;
  readonly to: string;
  readonly derived?: readonly DerivedField[];
  /** Base temperature of growing degree days, °C. */
  readonly baseTemperature?: number;
  readonly signal?: AbortSignal | undefined;
}

/** One local day. Null where nothing is known, never 0. */
export interface WeatherDay {
  readonly date: string;
  /** °C. */
  readonly temperatureMin: number;
  readonly temperatureMax: number;
  /** hPa. */
  readonly vapourPressure: number | null;
  /** m/s at 2 m. */
  readonly windSpeed: number | null;
  /** mm. */
  readonly rainfall: number | null;
  /** cm. */
  readonly snowDepth: number | null;
  /** 0 to 2, after CERES-Wheat. */
  readonly hardeningIndex: number | null;
  /** °C. */
  readonly criticalTemperature: number | null;
  /** %. */
  readonly humidity: number | null;
  /** %. */
  readonly cloudCover: number | null;
  /** The requested fields, null where they cannot be computed. */
  readonly derived: Readonly<Partial<Record<DerivedField, number | null>>>;
}

/** Weather of days, one object for each day that has temperatures. */
export interface DailyWeather {
  readonly days: readonly WeatherDay[];
  /** Hours that local midnight is ahead of UTC. */
  readonly utcOffsetHours: number;
  readonly lineage: WeatherLineage;
}

/** Hours of weather to be read. */
export interface HoursRequest {
  readonly where: WeatherLocation;
  readonly from: string;
  readonly to: string;
  readonly signal?: AbortSignal | undefined;
}

/** Weather of hours. */
export interface HourlyWeather {
  readonly hours: readonly ({ readonly time: string } & Readonly<
    Partial<Record<WeatherVariable, number | null>>
  >)[];
  readonly lineage: WeatherLineage;
}

/** One day of the year, over all stored years. */
export interface NormalDay {
  /** As 05-02. */
  readonly day: string;
  readonly years: number;
  /** Means of days within a week. */
  readonly temperatureMin: number;
  readonly temperatureMax: number;
  readonly rainfall: number | null;
}

/** Means of the stored years by day of the year. */
export interface WeatherNormals {
  readonly days: readonly NormalDay[];
  readonly firstYear: number;
  readonly lastYear: number;
  readonly lineage: WeatherLineage;
}

/** The eight times of a forecast day, in hours of the clock two hours ahead of UTC. */
export const FORECAST_HOURS = [2, 5, 8, 11, 14, 17, 20, 23] as const;

/** A day of a forecast, on the clock two hours ahead of UTC. */
export interface ForecastDay {
  readonly date: string;
  readonly airMin: number;
  readonly airMax: number;
  /** Temperature of the upper soil; null where the model has none. */
  readonly landMin: number | null;
  readonly landMax: number | null;
  /** Null for a day that the model does not cover whole, or in three-hour steps. */
  readonly details: ForecastDetails | null;
}

/** What a complete forecast day has besides temperatures. */
export interface ForecastDetails {
  /** Mean, %. */
  readonly humidity: number | null;
  /** cm. */
  readonly snowDepth: number | null;
  /** mm since the start of the run, at each of `FORECAST_HOURS`. */
  readonly rain: readonly (number | null)[];
  /** m/s at 10 m, at each of `FORECAST_HOURS`. */
  readonly wind: readonly (number | null)[];
}

/** A forecast by days. */
export interface Forecast {
  readonly days: readonly ForecastDay[];
  readonly lineage: WeatherLineage;
}

/** Answers questions about the weather from the first provider that can; null where none has anything. */
export interface Weather {
  readDays(request: DaysRequest): Promise<DailyWeather | null>;
  readHours(request: HoursRequest): Promise<HourlyWeather | null>;
  readNormals(request: {
    readonly where: WeatherLocation;
    readonly signal?: AbortSignal | undefined;
  }): Promise<WeatherNormals | null>;
  /** `hours` from the start of the run: 72 or 180. */
  readForecast(request: {
    readonly where: WeatherLocation;
    readonly hours: number;
    readonly signal?: AbortSignal | undefined;
  }): Promise<Forecast | null>;
  /** The days to come as days of the history, from today. */
  readComingDays(request: {
    readonly where: WeatherLocation;
    readonly days: number;
    readonly signal?: AbortSignal | undefined;
  }): Promise<DailyWeather | null>;
}
