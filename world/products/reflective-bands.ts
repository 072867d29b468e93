import { internal } from '../../src/errors.ts';
import type { Band } from '../../src/sensors/index.ts';
import { sensorByDataset } from '../../src/sensors/index.ts';
import type { SpectralBand } from '../light/exposure.ts';

/** A band of a sensor, and the spectral band in which the world is exposed. */
export interface ReflectiveBand {
  readonly known: Band;
  readonly spectral: SpectralBand;
}

/** The bands of a sensor that measures sunlight, in its order. */
export function toReflectiveBands(dataset: string): readonly ReflectiveBand[] {
  return (sensorByDataset(dataset)?.bands ?? []).map((known) => {
    const { name, centreNm, widthNm } = known;
    if (centreNm === null || widthNm === null) {
      throw internal('no-spectral-range', `The band ${name} of ${dataset} has no spectral range.`);
    }
    return { known, spectral: { name, kind: 'reflective', centreNm, widthNm } };
  });
}
