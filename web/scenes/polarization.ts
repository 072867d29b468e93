/** Which bands of a radar sensor a scene has: a product is taken in one or two of four polarisations. */
import { namesIn } from './bands.ts';
import type { ViewerSensor } from './sensor.ts';

/** Polarisations by the code in the name of a product: single or dual, sent vertically or horizontally. */
const BANDS: Readonly<Record<string, readonly string[]>> = {
  SV: ['VV'],
  SH: ['HH'],
  DV: ['VV', 'VH'],
  DH: ['HH', 'HV'],
};

/** One sensor for each code, so that scenes of equal bands have the same one. */
const narrowed = new WeakMap<ViewerSensor, Map<string, ViewerSensor>>();

/** The sensor with the radar bands of a polarisation only; as it is for a code that is unknown. */
export const toPolarizedSensor = (sensor: ViewerSensor, code: string | null): ViewerSensor => {
  const present = BANDS[code ?? ''];
  if (code === null || present === undefined) return sensor;
  const known = narrowed.get(sensor)?.get(code);
  if (known !== undefined) return known;
  const absent = new Set(
    sensor.bands
      .filter(({ kind, name }) => kind === 'radar' && !present.includes(name))
      .map(({ name }) => name),
  );
  const isPresent = (expression: string): boolean => !namesIn(expression).some((name) => absent.has(name));
  const [first, ...others] = sensor.compositions.filter(({ bands }) => isPresent(bands));
  if (absent.size === 0 || first === undefined) return sensor;
  const made: ViewerSensor = {
    ...sensor,
    bands: sensor.bands.filter(({ name }) => !absent.has(name)),
    compositions: [first, ...others],
    indices: sensor.indices.filter(({ expression }) => isPresent(expression)),
  };
  narrowed.set(sensor, (narrowed.get(sensor) ?? new Map<string, ViewerSensor>()).set(code, made));
  return made;
};
