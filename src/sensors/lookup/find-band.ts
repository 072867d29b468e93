import type { ProductLayout } from '../definition/product-layout.ts';
import type { Band, Composition, Sensor } from '../definition/sensor.ts';

/** The band of a name: its own, another spelling of it (`B4` for `B04`), or a generic name in any case (`nir`). */
export function findBand({ bands }: Sensor, spelling: string): Band | null {
  const generic = spelling.toUpperCase();
  return (
    bands.find(({ name }) => name === spelling) ??
    bands.find(({ spellings }) => spellings.includes(spelling)) ??
    bands.find(({ role }) => role === generic) ??
    null
  );
}

/** A file of a product that holds pixels. */
export interface BandFile {
  /** Bands of the file, in their order. */
  readonly bands: readonly Band[];
  /** How good it is among files of the same band, 0 first. */
  readonly rank: number;
}

/** What a file of a product holds, by its path inside the product; null when it holds no band. */
export function findBandFile(sensor: Sensor, layout: ProductLayout, path: string): BandFile | null {
  const groups = layout.bandFile.exec(path)?.groups;
  const hasRole = Object.values(layout.files).some((pattern) => pattern.test(path));
  if (groups === undefined || hasRole) return null;
  const { band = '', resolution = '' } = groups;
  const { bandsInFile = { [band]: [band] } } = layout;
  const written = Object.hasOwn(bandsInFile, band) ? (bandsInFile[band] ?? []) : [];
  const bands = written.flatMap((name) => findBand(sensor, layout.bandNames?.[name] ?? name) ?? []);
  if (bands.length === 0 || bands.length !== written.length) return null;
  return { bands, rank: Math.max(0, layout.resolutions?.indexOf(resolution) ?? 0) };
}

/** What a scene is shown as by default: the sensor's first composition of which it has all bands, or one band. */
export function chooseComposition(sensor: Sensor, hasBand: (name: string) => boolean): Composition | null {
  const whole = sensor.defaultCompositions.find((bands) => bands.every(hasBand));
  if (whole !== undefined) return whole;
  const [band] = sensor.bands.filter(({ name, kind }) => kind !== 'quality' && hasBand(name));
  return band === undefined ? null : [band.name];
}
