import { suggestName } from '../../bandmath/index.ts';
import type { Asset, Scene } from '../../catalog/index.ts';
import { aboutPart } from '../../errors.ts';
import type { GeoreferencedGrid } from '../../proj/index.ts';
import type { PixelWindow } from '../../raster/index.ts';
import { cropGrid } from '../../render/native/index.ts';
import type { Band, Sensor } from '../../sensors/index.ts';
import { findBand, toExpressionNames } from '../../sensors/index.ts';
import { badInput, unsupported } from '../errors.ts';
import type { ExportArea } from '../export.ts';
import { requireAreaWindow } from '../export.ts';

/** A band of a scene and its file. */
export interface ChosenBand {
  readonly band: Band;
  readonly asset: Asset;
}

/** No product has as many; a TIFF of ours holds no more. */
const MAX_BANDS = 64;

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

/** Texts of callers that are repeated to them. */
const toShown = (text: string): string => text.slice(0, 40).replaceAll(/[^\x20-\x7e]/g, '?');

const listBands = ({ bands }: Sensor): string => bands.map(({ name }) => name).join(', ');

/** Bands that go into one file: their pixels lie on the same ground. */
export interface BandGroup {
  readonly bands: readonly [ChosenBand, ...ChosenBand[]];
}

/** Transforms of files that were written by different programs differ by rounding only. */
const SAME_PX = 1e-3;

function isSameGrid(one: Asset, other: Asset): boolean {
  if (one.width !== other.width || one.height !== other.height) return false;
  if (one.epsg !== other.epsg || one.proj !== other.proj) return false;
  // Channels of one recording have one geometry, whatever the last digits of their points are.
  if (one.lattice !== undefined || other.lattice !== undefined) {
    return one.lattice !== undefined && other.lattice !== undefined;
  }
  const [, pixelWidth, rowShear, , colShear, pixelHeight] = one.transform;
  const tolerance = SAME_PX * Math.max(...[pixelWidth, rowShear, colShear, pixelHeight].map(Math.abs));
  return one.transform.every((value, i) => {
    const slack = i % 3 === 0 ? tolerance : tolerance / Math.max(one.width, one.height);
    return Math.abs(value - other.transform[i]!) <= slack;
  });
}

/** Bands of the same grid together, in the order of the first of each; without merging, each band is a group. */
export function groupBands(bands: readonly ChosenBand[], merges: boolean): readonly BandGroup[] {
  const groups: [ChosenBand, ...ChosenBand[]][] = [];
  for (const chosen of bands) {
    const group = merges ? groups.find(([first]) => isSameGrid(first.asset, chosen.asset)) : undefined;
    if (group === undefined) groups.push([chosen]);
    else group.push(chosen);
  }
  return groups.map((group) => ({ bands: group }));
}

/** The pixels of a group that an order wants, and where they lie. */
export interface GroupPixels extends BandGroup {
  readonly window: PixelWindow;
  /** The georeference of the window. */
  readonly grid: GeoreferencedGrid;
}

/** Decides which pixels of a group lie in an area: all of them without one. */
export function planPixels(group: BandGroup, area: ExportArea | null): GroupPixels {
  const { width, height, epsg, proj, transform, lattice } = group.bands[0].asset;
  const grid = { width, height, epsg, transform, proj: proj ?? null, lattice: lattice ?? null };
  const window = area === null ? { x: 0, y: 0, width, height } : requireAreaWindow(grid, area);
  return { ...group, window, grid: cropGrid(grid, window) };
}
