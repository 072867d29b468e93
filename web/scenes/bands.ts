/** Which bands of a scene are shown: what a sensor offers, and the fallback if it lacks the requested bands. */
import type { Band, Composition, ViewerSensor } from './sensor.ts';

const findBand = ({ bands }: ViewerSensor, name: string): Band | undefined =>
  bands.find((band) => band.name === name);

/** Names in band math that stand for bands, roles or indices: whatever no parenthesis follows. */
export const namesIn = (expression: string): readonly string[] =>
  [...expression.matchAll(/(?<!\w|\.)[A-Za-z_]\w*(?!\w|\s*\()/g)].map(([name]) => name);

const isKnownName = (sensor: ViewerSensor, name: string): boolean =>
  name === 'NODATA' ||
  findBand(sensor, name) !== undefined ||
  sensor.bands.some(({ role }) => role === name) ||
  sensor.indices.some((index) => index.name === name);

/** True for a composition, an index, one band, three joined by commas, or band math of names that the sensor has. */
export const isBandChoice = (sensor: ViewerSensor, text: string): boolean => {
  if (sensor.compositions.some(({ bands }) => bands === text)) return true;
  const names = namesIn(text);
  if (names.length === 0 || !names.every((name) => isKnownName(sensor, name))) return false;
  // Two or four plain names do not make a picture; the server checks commas inside calls.
  const isPlain = /^[\w,]+$/.test(text);
  return !isPlain || [1, 3].includes(text.split(',').length);
};

/** True for several channels, whose colours mean nothing by themselves. */
export const isComposite = ({ indices }: ViewerSensor, shown: string): boolean => {
  if (indices.some(({ name, kind }) => name === shown && kind === 'composite')) return true;
  let depth = 0;
  for (const char of shown) {
    if (char === '(') depth++;
    if (char === ')') depth--;
    if (char === ',' && depth === 0) return true;
  }
  return false;
};

/** What was chosen, and the sensor it was chosen for: `null` when an address brought it. */
interface WantedBands {
  readonly bands: string | null;
  readonly of: ViewerSensor | null;
}

/**
 * The bands to show of a scene. A choice made for another sensor is translated by meaning, not by name: `B4,B3,B2` are
 * natural colours of Landsat 8 and false ones of Landsat 7. Without a counterpart it is the sensor's first composition.
 */
export const planBands = (sensor: ViewerSensor, { bands, of }: WantedBands): string => {
  const [first] = sensor.compositions;
  if (bands === null) return first.bands;
  if (of === null || of.dataset === sensor.dataset) {
    return isBandChoice(sensor, bands) ? bands : first.bands;
  }
  const kind = of.compositions.find((composition) => composition.bands === bands)?.name ?? null;
  const alike = sensor.compositions.find(({ name }) => name !== null && name === kind);
  if (alike !== undefined) return alike.bands;
  const areSame = namesIn(bands).every((name) => {
    const [there, here] = [findBand(of, name), findBand(sensor, name)];
    if (there === undefined) return isKnownName(sensor, name);
    return here !== undefined && here.role === there.role && here.kind === there.kind;
  });
  return areSame && isBandChoice(sensor, bands) ? bands : first.bands;
};

/** The bands that a choice reads: those of its expression, or of the index that it names. */
export const bandsOf = (sensor: ViewerSensor, shown: string): readonly string[] =>
  namesIn(sensor.indices.find(({ name }) => name === shown)?.expression ?? shown);

/** True when a choice needs something that the scene is known to lack. */
export const isMissing = (sensor: ViewerSensor, shown: string, missing: ReadonlySet<string>): boolean =>
  missing.has(shown) || bandsOf(sensor, shown).some((name) => missing.has(name));

/**
 * What to offer when a scene lacks files: the first composition, then band, that is not known to be missing.
 * `missing` holds choices that failed; one of a single band rules out every composition with that band.
 */
export const planOther = (sensor: ViewerSensor, missing: ReadonlySet<string>): Composition | null => {
  const single = sensor.bands.map(({ name }): Composition => ({ name: null, bands: name }));
  const choices = [...sensor.compositions, ...single];
  return choices.find(({ bands }) => !isMissing(sensor, bands, missing)) ?? null;
};
