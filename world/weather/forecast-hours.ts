import type { Climate } from '../climate/climate.ts';
import { dewPointC, saturationHpa } from '../climate/weather.ts';
import type { WeatherLocation } from '../grids/local-weather.ts';
import { WORLD_SEED } from '../ground/world.ts';
import { lineNoise } from '../numbers/noise.ts';
import { exp } from '../numbers/steady-math.ts';
import { HOUR_MS } from '../setting.ts';
import type { LocalHours } from './local-hours.ts';
import { localHours } from './local-hours.ts';
import { passesClouds } from './sunshine.ts';

/** A model run at a location. */
export interface RunRequest {
  readonly location: WeatherLocation;
  /** When the run begins, a whole hour. */
  readonly runMs: number;
  readonly count: number;
}

/** Deviations of errors long after the start of a run: of the temperature, and of the time of rain. */
const ERROR_C = 3.5;
const LATE_HOURS = 9;
/** Errors are alike over a good part of a day. */
const ALIKE_HOURS = 18;
/** Hours around the run that rain may be taken from: no draw of the noise is larger than 5. */
const MARGIN_HOURS = 5 * LATE_HOURS;

/**
 * What a run of the world's weather model says of the hours to come: the truth at its start, with errors that grow with
 * the lead time. Each run has errors of its own.
 */
export function forecastHours(climate: Climate, { location, runMs, count }: RunRequest): LocalHours {
  const truth = localHours(climate, {
    location,
    startMs: runMs - MARGIN_HOURS * HOUR_MS,
    count: count + 2 * MARGIN_HOURS,
  });
  const of = (name: keyof LocalHours): Float64Array => truth[name].slice(MARGIN_HOURS, MARGIN_HOURS + count);
  const errorOf = makeErrors(runMs / HOUR_MS);
  const errorC = (lead: number): number => ERROR_C * errorOf('warmth', lead);

  const temperatureC = of('temperatureC').map((celsius, lead) => celsius + errorC(lead));
  const saturation = temperatureC.map(saturationHpa);
  const vapourPressureHpa = of('vapourPressureHpa').map((vapour, lead) =>
    Math.min(saturation[lead]!, vapour * exp(0.05 * errorC(lead) + 0.15 * errorOf('moisture', lead))),
  );
  const trueClouds = of('cloudiness');
  const cloudiness = trueClouds.map((cover, lead) =>
    Math.min(1, Math.max(0, cover + 0.4 * errorOf('clouds', lead))),
  );
  return {
    temperatureC,
    dewPointC: vapourPressureHpa.map(dewPointC),
    vapourPressureHpa,
    humidity: vapourPressureHpa.map((vapour, lead) => vapour / saturation[lead]!),
    windMs: of('windMs').map((wind, lead) => wind * exp(0.35 * errorOf('wind', lead))),
    rainMm: of('rainMm').map((_, lead) => {
      const late = Math.round(LATE_HOURS * errorOf('rainTime', lead));
      return truth.rainMm[MARGIN_HOURS + lead - late]! * exp(0.6 * errorOf('rain', lead));
    }),
    snowDepthCm: of('snowDepthCm').map((depth, lead) => depth * exp(0.1 * errorOf('rain', lead))),
    // The soil follows the air slowly, and so do its errors.
    soilC: of('soilC').map((celsius, lead) => celsius + 0.35 * errorC(lead)),
    cloudiness,
    radiationMj: of('radiationMj').map(
      (mj, lead) => (mj * passesClouds(cloudiness[lead]!)) / passesClouds(trueClouds[lead]!),
    ),
  };
}

const SEEDS = { warmth: 1, moisture: 2, clouds: 3, wind: 4, rain: 5, rainTime: 6 } as const;

/** Errors by lead time of a run: 0 at its start, a deviation of 1/3 after 36 hours, below 1 at all times. */
function makeErrors(run: number): (of: keyof typeof SEEDS, leadHours: number) => number {
  return (of, leadHours) => {
    const size = leadHours / (leadHours + 72);
    return size * lineNoise(leadHours / ALIKE_HOURS, WORLD_SEED + 8_201 + 8 * run + SEEDS[of]);
  };
}
