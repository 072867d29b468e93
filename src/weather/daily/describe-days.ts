import { DAY_MS, HOUR_MS } from '../../units.ts';
import { toReferenceEvapotranspiration } from '../physics/evapotranspiration.ts';
import { toGrowingDegrees } from '../physics/growing-degrees.ts';
import { harden } from '../physics/hardening.ts';
import { toVapourPressure } from '../physics/vapour-pressure.ts';
import { WIND_2M_OF_10M } from '../physics/wind-profile.ts';
import { toDay, toDayOfYear } from '../series/days.ts';
import type { WeatherSeries, WeatherVariable } from '../series/weather-series.ts';
import type { DerivedField, WeatherDay } from '../weather-types.ts';

interface DescribeOptions {
  /** Days from here on are described; those before count only for hardening. */
  readonly fromDay: number;
  /** Hardening before the first day of the series, 0 at the start of a season; null if it is not known. */
  readonly hardeningBefore: number | null;
  /** The day of each year on which hardening starts again, as 08-01. */
  readonly seasonStart: string;
  readonly latitude: number;
  /** Metres; sea level if it is not known. */
  readonly elevation: number | null;
  readonly derived: readonly DerivedField[];
  readonly baseTemperature: number;
}

/** Describes the days of a series that have both temperatures. */
export function describeDays(series: WeatherSeries, options: DescribeOptions): readonly WeatherDay[] {
  const { fromDay, derived } = options;
  const firstDay = Math.round((series.startMs + series.utcOffsetHours * HOUR_MS) / DAY_MS);
  const at = (variable: WeatherVariable, i: number): number | null => {
    const value = series.values[variable]?.[i];
    return value === undefined || Number.isNaN(value) ? null : value;
  };
  const days: WeatherDay[] = [];
  const sums = { growingDegreeSum: 0, waterBalanceSum: 0 };
  let hardening = options.hardeningBefore;
  for (let i = 0; i < series.stepCount; i++) {
    const date = toDay(firstDay + i);
    if (date.slice(5) === options.seasonStart) hardening = 0;
    const [min, max] = [at('temperatureMin', i), at('temperatureMax', i)];
    // Hardening of a day that is not known stays as it was: a day changes it by a tenth at most.
    if (min === null || max === null) continue;
    const snowDepth = at('snowDepth', i);
    const hardened = hardening === null ? null : harden(hardening, { min, max, snowDepth });
    hardening = hardened?.index ?? null;
    if (firstDay + i < fromDay) continue;
    const wind = at('windSpeed', i);
    const day: Omit<WeatherDay, 'derived'> = {
      date,
      temperatureMin: min,
      temperatureMax: max,
      vapourPressure: at('vapourPressure', i) ?? toVapour(at('relativeHumidity', i), min, max),
      windSpeed: wind === null ? null : wind * WIND_2M_OF_10M,
      rainfall: at('precipitation', i),
      snowDepth,
      hardeningIndex: hardened?.index ?? null,
      criticalTemperature: hardened?.criticalTemperature ?? null,
      humidity: at('relativeHumidity', i),
      cloudCover: at('cloudCover', i),
    };
    const radiation = at('radiation', i);
    days.push({
      ...day,
      derived: derived.length === 0 ? {} : derive(day, { ...options, radiation, day: firstDay + i, sums }),
    });
  }
  return days;
}

/** Vapour pressure of a day of which only the humidity is known (FAO-56, equation 19). */
const toVapour = (humidity: number | null, min: number, max: number): number | null =>
  humidity === null ? null : ((humidity / 100) * (toVapourPressure(min) + toVapourPressure(max))) / 2;

interface DeriveOptions extends DescribeOptions {
  readonly radiation: number | null;
  readonly day: number;
  /** Since the first day that is described. */
  readonly sums: { growingDegreeSum: number; waterBalanceSum: number };
}

function derive(
  {
    temperatureMin: min,
    temperatureMax: max,
    vapourPressure,
    windSpeed: wind,
    rainfall,
  }: Omit<WeatherDay, 'derived'>,
  { derived, baseTemperature, latitude, elevation, radiation, day, sums }: DeriveOptions,
): Partial<Record<DerivedField, number | null>> {
  const growingDegreeDays = toGrowingDegrees(min, max, baseTemperature);
  const referenceEvapotranspiration =
    vapourPressure === null || wind === null
      ? null
      : toReferenceEvapotranspiration({
          min,
          max,
          vapourPressure,
          wind,
          radiation,
          dayOfYear: toDayOfYear(day),
          latitude,
          elevation: elevation ?? 0,
        });
  const waterBalance =
    referenceEvapotranspiration === null || rainfall === null ? null : rainfall - referenceEvapotranspiration;
  sums.growingDegreeSum += growingDegreeDays;
  // A sum with a day missing would be wrong from there on, so it is NaN and answered as null.
  sums.waterBalanceSum += waterBalance ?? Number.NaN;
  const all: Record<DerivedField, number | null> = {
    growingDegreeDays,
    growingDegreeSum: sums.growingDegreeSum,
    referenceEvapotranspiration,
    waterBalance,
    waterBalanceSum: Number.isNaN(sums.waterBalanceSum) ? null : sums.waterBalanceSum,
  };
  return Object.fromEntries(derived.map((name) => [name, all[name]]));
}
