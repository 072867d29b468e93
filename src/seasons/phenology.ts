/** All that seasons say about one area: its curve, its seasons, what is normal there, and how this year compares. */
import { toYearDay } from './day-of-year.ts';
import type { Season, SeasonOptions } from './find-seasons.ts';
import { DEFAULT_SEASONS, findSeasons } from './find-seasons.ts';
import type { Anomaly, NormalOptions, Normals } from './normals.ts';
import { DEFAULT_NORMALS, splitYears, toAnomaly, toNormals } from './normals.ts';
import type { Curve, Sample, SmoothOptions } from './smooth-series.ts';
import { DEFAULT_SMOOTHING, smoothSeries, toSampleWeight } from './smooth-series.ts';

/** All options; plain JSON. */
export interface PhenologyOptions {
  readonly smoothing: SmoothOptions;
  readonly seasons: SeasonOptions;
  readonly normals: NormalOptions;
}

export const DEFAULT_PHENOLOGY: PhenologyOptions = {
  smoothing: DEFAULT_SMOOTHING,
  seasons: DEFAULT_SEASONS,
  normals: DEFAULT_NORMALS,
};

/** What is known about an area. */
export interface Phenology {
  /** Null with fewer than two days of measurements. */
  readonly curve: Curve | null;
  readonly seasons: readonly Season[];
  /** Of the years before that of the newest measurement. */
  readonly normals: Normals;
  /** The end of the curve; null without a curve. */
  readonly newest: {
    readonly day: number;
    /** The value of the curve, not of the last scene alone. */
    readonly value: number;
    readonly anomaly: Anomaly | null;
  } | null;
}

/** Everything about a series of measurements. */
export function toPhenology(
  samples: readonly Sample[],
  { smoothing, seasons, normals: normalOptions }: PhenologyOptions = DEFAULT_PHENOLOGY,
): Phenology {
  const curve = smoothSeries(samples, smoothing);
  if (curve === null) {
    return { curve, seasons: [], normals: toNormals(new Map(), normalOptions), newest: null };
  }
  const day = curve.firstDay + curve.values.length - 1;
  const value = curve.values.at(-1)!;
  const earlier = [...splitYears(curve)].filter(([year]) => year < toYearDay(day).year);
  const normals = toNormals(new Map(earlier), normalOptions);
  return {
    curve,
    seasons: findSeasons(curve, seasons),
    normals,
    newest: { day, value, anomaly: toAnomaly(value, day, normals) },
  };
}

/** What decides which of several scenes of a day is used. */
interface DayScene {
  /** The scene has data in a part of the area only. */
  readonly isPartial: boolean;
  /** In the area; null if unknown. */
  readonly cloudPercent: number | null;
}

/** Whether the first of two scenes of a day is the better one: whole before partial, then the clearer. */
export function isBetterScene(one: DayScene, other: DayScene): boolean {
  const rank = ({ isPartial, cloudPercent }: DayScene): number =>
    (isPartial ? 1000 : 0) + (cloudPercent ?? 100);
  return rank(one) < rank(other);
}

/** One measurement for each day that has any: that of the best scene. */
export function toDailySamples<Scene extends DayScene & { readonly day: number; readonly value: number }>(
  scenes: readonly Scene[],
): readonly (Sample & { readonly scene: Scene })[] {
  const byDay = new Map<number, Scene>();
  for (const scene of scenes) {
    const known = byDay.get(scene.day);
    if (known === undefined || isBetterScene(scene, known)) byDay.set(scene.day, scene);
  }
  return [...byDay.values()]
    .sort((a, b) => a.day - b.day)
    .map((scene) => ({
      day: scene.day,
      value: scene.value,
      weight: toSampleWeight(scene.cloudPercent),
      scene,
    }));
}
