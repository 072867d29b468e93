import { suggestName } from '../../bandmath/index.ts';
import type { Asset, Scene } from '../../catalog/index.ts';
import { aboutPart, badInput, unsupported } from '../../errors.ts';
import type { Band, Sensor } from '../../sensors/index.ts';
import { findBand, toExpressionNames } from '../../sensors/index.ts';

/** A band of a scene and its file. */
export interface ChosenBand {
  readonly band: Band;
  readonly asset: Asset;
}

/** No product has as many; a TIFF of ours holds no more. */
const MAX_BANDS = 64;

/** Texts of callers that are repeated to them. */
const toShown = (text: string): string => text.slice(0, 40).replaceAll(/[^\x20-\x7e]/g, '?');

function findKnown(sensor: Sensor, name: string): Band {
  const band = findBand(sensor, name);
  if (band !== null) return band;
  const names = toExpressionNames(sensor).all.filter((known) => findBand(sensor, known) !== null);
  const suggestion = suggestName(name, names);
  const hint = suggestion === null ? `Its bands are ${listBands(sensor)}.` : `Did you mean ${suggestion}?`;
  throw unsupported('unknown-band', `"${toShown(name)}" is not a band of ${sensor.title}. ${hint}`, {
    details: suggestion === null ? {} : { suggestion },
  });
}

const listBands = ({ bands }: Sensor): string => bands.map(({ name }) => name).join(', ');

/** The bands of an order with their files, in its order; refuses bands that are unknown, missing or named twice. */
export function chooseBands(names: readonly string[], sensor: Sensor, scene: Scene): readonly ChosenBand[] {
  try {
    return findBands(names, sensor, scene);
  } catch (error) {
    throw aboutPart('bands', error);
  }
}

function findBands(names: readonly string[], sensor: Sensor, scene: Scene): readonly ChosenBand[] {
  if (names.length === 0) throw badInput('no-bands', 'Name at least one band.');
  if (names.length > MAX_BANDS) {
    throw badInput('too-many-bands', `A file has at most ${MAX_BANDS} bands, not ${names.length}.`);
  }
  const seen = new Set<string>();
  return names.map((name) => {
    const band = findKnown(sensor, name);
    if (seen.has(band.name)) throw badInput('band-twice', `The band ${band.name} is named twice.`);
    seen.add(band.name);
    const asset = Object.hasOwn(scene.assets, band.name) ? scene.assets[band.name] : undefined;
    if (asset === undefined) {
      throw unsupported('no-such-band-file', `This scene has no file for the band ${band.name}.`);
    }
    return { band, asset };
  });
}
