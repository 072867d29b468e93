/** Which bands of a scene are shown: what a sensor offers, and the fallback if it lacks the requested bands. */

/** A band as offered in the single-band list. */
interface Band {
  readonly name: string;
  readonly title: string;
  /** Its numbers are classes or bits, which have colours of their own. */
  readonly isClasses?: true;
}

/** One band shown as grey, three joined by commas shown as red, green and blue, or an index by its name. */
export interface Composition {
  readonly bands: string;
  /** Of an index: the bands it is computed from, joined by commas. */
  readonly needs?: string;
  readonly title: string;
  readonly hint: string;
}

/** A sensor as the viewer knows it; the build makes these from `src/sensors`. */
export interface ViewerSensor {
  readonly dataset: string;
  readonly title: string;
  readonly bands: readonly Band[];
  /** Those with a button of their own; the first is the default. */
  readonly compositions: readonly [Composition, ...Composition[]];
  /** Zoom at which tiles are finer than the sensor's pixels everywhere: deeper ones would show nothing new. */
  readonly maxZoom: number;
}

/** The title of a band, or `undefined` when the sensor has no band of this name. */
const titleOf = ({ bands }: ViewerSensor, name: string): string | undefined =>
  bands.find((band) => band.name === name)?.title;

/** One band or index as a heading: `B10 Thermal, 10.9 µm`, `NDVI`. */
export const titleOfShown = (sensor: ViewerSensor, name: string): string =>
  [name, titleOf(sensor, name) ?? ''].join(' ').trim();

/** True for what the sensor offers: a composition, an index, one band, or three joined by commas. */
export const isBandChoice = (sensor: ViewerSensor, text: string): boolean => {
  if (sensor.compositions.some(({ bands }) => bands === text)) return true;
  const names = text.split(',');
  const isCount = names.length === 1 || names.length === 3;
  return isCount && names.every((name) => titleOf(sensor, name) !== undefined);
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
  const kind = of.compositions.find((composition) => composition.bands === bands)?.title;
  const alike = sensor.compositions.find(({ title }) => title === kind);
  if (alike !== undefined) return alike.bands;
  const areSame = bands.split(',').every((name) => {
    const title = titleOf(sensor, name);
    return title !== undefined && title === titleOf(of, name);
  });
  return areSame ? bands : first.bands;
};

/**
 * What to offer when a scene lacks files: the first composition, then band, that is not known to be missing.
 * `missing` holds choices that failed; one of a single band rules out every composition with that band.
 */
export const planOther = (
  { compositions, bands }: ViewerSensor,
  missing: ReadonlySet<string>,
): Pick<Composition, 'bands' | 'title'> | null => {
  const single = bands.map(
    ({ name }): Pick<Composition, 'bands' | 'title' | 'needs'> => ({
      bands: name,
      title: name,
    }),
  );
  const isMissing = ({ bands: shown, needs = shown }: Pick<Composition, 'bands' | 'needs'>): boolean =>
    missing.has(shown) || needs.split(',').some((name) => missing.has(name));
  return [...compositions, ...single].find((choice) => !isMissing(choice)) ?? null;
};

/** What a scene turned out to lack, as a sentence: compositions by their title, bands by their name. */
export const describeMissing = ({ compositions }: ViewerSensor, missing: ReadonlySet<string>): string => {
  const titles = [...missing].map((bands) => compositions.find((one) => one.bands === bands)?.title ?? bands);
  return `Not in this scene: ${titles.join(', ')}.`;
};
