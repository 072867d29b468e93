import { lineNoise, normalDraw } from '../numbers/noise.ts';
import { cos, exp, ln, toRadians } from '../numbers/steady-math.ts';
import { fire, flood } from '../setting.ts';

/** The weather of a day at sea level over the whole world; heights and locations vary it. */
export interface ClimateDay {
  readonly minC: number;
  readonly maxC: number;
  readonly rainMm: number;
  /** Share of the sky under clouds at noon, 0..1. */
  readonly cloudiness: number;
  readonly windMs: number;
  /** Relative humidity at 2 m, 0..1. */
  readonly humidity: number;
}

/** The weather of all days, as columns. */
export interface Weather {
  readonly dayCount: number;
  readonly minC: Float32Array;
  readonly maxC: Float32Array;
  readonly rainMm: Float32Array;
  /** 1 at midsummer, -1 at midwinter as the air feels it, a month after the sun. */
  readonly warmth: Float32Array;
  at(index: number): ClimateDay;
}

/**
 * Makes the weather, a day after the other from noise alone: weather systems pass in five days on average, spells of
 * several weeks favour or hold them off. Sized by hand to the climate normals of the eastern Salish Sea: January 5 °C
 * and 130 mm, July 17 °C and 30 mm, about 950 mm a year.
 */
export function makeWeather(request: { seed: number; firstDay: number; dayCount: number }): Weather {
  const { seed, firstDay, dayCount } = request;
  const column = () => new Float32Array(dayCount);
  const minC = column();
  const maxC = column();
  const rainMm = column();
  const warmth = column();
  const cloudiness = column();
  const windMs = column();
  const humidity = column();

  for (let i = 0; i < dayCount; i++) {
    const day = firstDay + i;
    // Day 203 of the year is 22 July; the year is 365.2425 days long and begins with 1970.
    const season = cos(toRadians(((day - 203) / 365.2425) * 360));
    const chance =
      0.72 * lineNoise(day / 2.6, seed + 11) +
      0.55 * lineNoise(day / 11, seed + 12) +
      0.42 * lineNoise(day / 43, seed + 13);
    const [rains, parches] = [floodRain(day), fireDrought(day)];
    const storm = chance * (1 - 0.7 * rains - 0.7 * parches) + 2.2 * rains - 1.1 * parches;
    const wet = storm - 0.1 - 0.62 * season + 0.12 * season * season;
    const rain = Math.max(0, wet + 0.35 * normalDraw(day, 1, seed + 14));
    rainMm[i] = rain < 0.08 ? 0 : rain * rain * (3.1 - 0.4 * season) + 1.4 * rain;

    const cover = 1 / (1 + exp(-2.1 * (wet + 0.42)));
    cloudiness[i] = Math.min(1, Math.max(0, cover + 0.08 * normalDraw(day, 2, seed + 14)));

    // Dry winter air comes from the cold inland, dry summer air is heated by the sun: rain evens both out.
    const swing = 1.9 * lineNoise(day / 3.5, seed + 15) + 1.7 * lineNoise(day / 16, seed + 16);
    const dry = Math.max(0, -wet);
    const meanC = 10.6 + 6.7 * season + swing + 3.5 * rains + season * ((season < 0 ? 2.6 : 1.7) * dry - 0.6);
    const rangeC = 4.9 + (5.6 + 3.4 * season) * (1 - cover) + 1.2 * season;
    minC[i] = meanC - rangeC / 2;
    maxC[i] = meanC + rangeC / 2;
    warmth[i] = season;

    const gusts = Math.max(0, wet) * (1.9 - 0.7 * season);
    windMs[i] = Math.max(0.6, 3 - 0.3 * season + gusts + 0.8 * normalDraw(day, 3, seed + 14));
    humidity[i] = Math.min(0.98, Math.max(0.4, 0.7 - 0.07 * season + 0.22 * (cover - 0.5) - 0.006 * swing));
  }

  return {
    dayCount,
    minC,
    maxC,
    rainMm,
    warmth,
    at: (index) => ({
      minC: minC[index]!,
      maxC: maxC[index]!,
      rainMm: rainMm[index]!,
      cloudiness: cloudiness[index]!,
      windMs: windMs[index]!,
      humidity: humidity[index]!,
    }),
  };
}

/** Smooth hill of height 1 over the days from `first` to `last`, level in between where it is long. */
function hill(day: number, first: number, last: number, slopeDays: number): number {
  const rise = Math.min(1, Math.max(0, Math.min(day - first, last - day) / slopeDays));
  return rise * rise * (3 - 2 * rise);
}

/** The world's flood comes from days of warm rain, whatever the seed: 1 in their midst. */
const floodRain = (day: number): number => hill(day, flood.fromDay - 4, flood.peakDay + 2, 2.5);

/** Its wildfire follows weeks of drought. */
const fireDrought = (day: number): number => hill(day, fire.fromDay - 40, fire.burntDay + 12, 12);

/** Pressure of vapour in saturated air (FAO-56, equation 11). */
export const saturationHpa = (celsius: number): number => 6.108 * exp((17.27 * celsius) / (celsius + 237.3));

/** Temperature at which air with this vapour is saturated. */
export function dewPointC(vapourHpa: number): number {
  const exponent = ln(vapourHpa / 6.108);
  return (237.3 * exponent) / (17.27 - exponent);
}
