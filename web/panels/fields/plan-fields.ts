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
