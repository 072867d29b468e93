import type { StepHours } from '../../cubes/index.ts';
import type { WeatherVariable } from '../series/weather-series.ts';

/** A weather station, and what is stored of it. */
export interface Station {
  readonly id: string;
  readonly longitude: number;
  readonly latitude: number;
  /** Height above the sea; null if it is not known. */
  readonly elevationM: number | null;
  /** Days of a station are those of its clock; hours are those of UTC. */
  readonly stepHours: StepHours;
  /** Days or hours from 1970. */
  readonly firstStep: number;
  readonly stepCount: number;
  readonly variables: readonly WeatherVariable[];
}

/** Numbers of a station over time, NaN where there is a gap, in the units of `WEATHER_VARIABLES`. */
export interface StationSeries {
  readonly station: Station;
  readonly values: Readonly<Partial<Record<WeatherVariable, Float32Array>>>;
}
