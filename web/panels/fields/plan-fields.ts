/** What is measured in fields, and where they lie. */
import type { Box } from '../../scenes/footprint.ts';
import type { ViewerSensor } from '../../scenes/sensor.ts';

/** What is measured in all fields; `null` stands for what suits best. */
export interface Measuring {
  readonly dataset: string | null;
  readonly index: string;
}

/** Datasets that suit fields best, if they are there. */
const PREFERRED = ['sentinel2l2a', 'sentinel2', 'landsat8', 'landsat9'];

/** The sensor that is measured: the chosen one, or the best one that has the index. */
export const chooseSensor = (
  sensors: readonly ViewerSensor[],
  { dataset, index }: Measuring,
): ViewerSensor | null => {
  const able = sensors.filter(({ indices }) => indices.some(({ name }) => name === index));
  const rank = (sensor: ViewerSensor): number => {
    const place = PREFERRED.indexOf(sensor.dataset);
    return place < 0 ? PREFERRED.length : place;
  };
  return (
    able.find((sensor) => sensor.dataset === dataset) ?? able.toSorted((a, b) => rank(a) - rank(b))[0] ?? null
  );
};

/** The box around others. */
export const boxAround = (boxes: readonly Box[]): Box | null => {
  if (boxes.length === 0) return null;
  const edge = (at: 0 | 1 | 2 | 3, pick: (a: number, b: number) => number): number =>
    boxes.map((box) => box[at]).reduce((a, b) => pick(a, b));
  return [edge(0, Math.min), edge(1, Math.min), edge(2, Math.max), edge(3, Math.max)];
};

/** How many years a curve shows. */
export const YEAR_CHOICES = ['1', '2', '3', '5'] as const;

/** One of them. */
export type YearChoice = (typeof YEAR_CHOICES)[number];

/** The first day of so many years, the last of which is this one; `null` for the last twelve months. */
export const fromOfYears = (years: YearChoice, today: string): string | null =>
  years === '1' ? null : `${Number(today.slice(0, 4)) - Number(years) + 1}-01-01`;

/** The choice that shows at least what a first day does. */
export const yearsOf = (from: string | null, today: string): YearChoice =>
  from === null
    ? '1'
    : (YEAR_CHOICES.slice(1).find((years) => (fromOfYears(years, today) ?? '') <= from) ?? '5');
