/** What can be subtracted between two scenes: one number a pixel that means the same on both sensors. */
import { isBandChoice } from './bands.ts';
import type { Picture } from './picture.ts';
import { bandsOfPicture, isColorable } from './picture.ts';
import type { ViewerSensor } from './sensor.ts';

/** The indices that both sensors have. */
export const measuresOf = (left: ViewerSensor, right: ViewerSensor): readonly string[] => {
  const isIndex = (sensor: ViewerSensor, name: string): boolean =>
    sensor.indices.some((index) => index.name === name && index.kind === 'index');
  return right.indices.map(({ name }) => name).filter((name) => isIndex(left, name) && isIndex(right, name));
};

const isMeasure = (sensor: ViewerSensor, text: string): boolean =>
  isBandChoice(sensor, text) && isColorable(sensor, text);

interface MeasureSide {
  readonly sensor: ViewerSensor;
  readonly picture: Picture;
}

/** What is subtracted: what was wanted, what the right picture shows, or NDVI or another index; `null` if there is none. */
export const planMeasure = (left: MeasureSide, right: MeasureSide, wanted: string | null): string | null => {
  const indices = measuresOf(left.sensor, right.sensor);
  const first = indices.includes('NDVI') ? 'NDVI' : indices[0];
  const candidates = [wanted, bandsOfPicture(right.sensor, right.picture), first];
  const isOfBoth = (text: string): boolean => isMeasure(left.sensor, text) && isMeasure(right.sensor, text);
  return candidates.find((text) => text !== null && text !== undefined && isOfBoth(text)) ?? null;
};
