import { sourceBroken } from '../../../errors.ts';
import type { KnownPlace } from '../../../proj/index.ts';
import { parseViewId } from '../../../sensors/index.ts';
import type { Product } from '../../files/product.ts';
import type { ReadText } from '../../files/product-files.ts';
import type { FoundFile } from '../../files/walk-folder.ts';
import type { SceneFacts } from '../scene-facts.ts';
import { NOTHING_MORE, toFields } from '../scene-facts.ts';
import type { Sentinel1Annotation } from './annotation.ts';
import { parseSentinel1Annotation } from './annotation.ts';
import { parseSentinel1Calibration } from './calibration.ts';
import type { Sentinel1Overview } from './manifest.ts';
import { parseSentinel1Manifest, parseSentinel1ProductInfo } from './manifest.ts';
import { toRadarBands, tryNoise } from './radar-bands.ts';

/** Describes a GRD product of Sentinel-1, of the bucket or as a SAFE folder. */
export async function describeSentinel1(product: Product, readText: ReadText): Promise<SceneFacts> {
  const { sensor, files } = product;
  const overview = await readOverview(product, readText);
  const annotations = await readAll(files.get('annotation'), readText, parseSentinel1Annotation);
  const calibrations = await readAll(files.get('calibration'), readText, parseSentinel1Calibration);
  const name = overview.name ?? (product.folder.at(-1) ?? '').replace(/\.SAFE$/, '');
  const view = parseViewId(`${sensor.abbreviation}/${name}`);
  const [first] = annotations;
  const grids = new Map(annotations.map((annotation) => [annotation.polarisation, toPlaces(annotation)]));
  const noises = await readAll(files.get('noise'), readText, tryNoise);
  const { bands, notes } = toRadarBands(calibrations, noises);
  return {
    ...NOTHING_MORE,
    viewId: view.viewId,
    sceneId: view.sceneName,
    acquiredAt: first?.startedAt ?? overview.startedAt,
    processed: overview.processedAt ?? '',
    fields: toFields(sensor, {
      missionId: view.parts.mission,
      satelliteName: view.parts.mission?.replace('S1', 'Sentinel-1'),
      absoluteOrbitNumber: first?.absoluteOrbit ?? overview.absoluteOrbit ?? Number(view.parts.orbit),
      passDirection: first?.pass ?? overview.pass,
      mode: view.parts.mode,
      // 1SDV: level 1, standard, dual, vertical
      polarization: view.parts.polarization?.slice(2),
      awsPath: overview.path,
      onAmazon: true,
    }),
    calibration: bands.length === 0 ? null : { earthSunDistanceAu: null, bands: Object.fromEntries(bands) },
    placementOf: (band) => {
      const places = grids.get(band);
      return places === undefined ? undefined : { epsg: 4326, places };
    },
    notes,
  };
}

async function readOverview({ files }: Product, readText: ReadText): Promise<Sentinel1Overview> {
  const [file] = files.get('product-metadata') ?? [];
  if (file === undefined)
    throw sourceBroken('metadata-missing', 'The product has neither manifest nor product file.');
  const what = file.parts.at(-1) ?? '';
  const parse = what.endsWith('.json') ? parseSentinel1ProductInfo : parseSentinel1Manifest;
  return parse(await readText(file), what);
}

async function readAll<T>(
  files: readonly FoundFile[] | undefined,
  readText: ReadText,
  parse: (text: string, what: string) => T,
): Promise<T[]> {
  const read: T[] = [];
  // One after the other: an annotation takes some ten megabytes while it is read.
  for (const file of files ?? []) read.push(parse(await readText(file), file.parts.at(-1) ?? ''));
  return read;
}

/** The annotation counts from the centre of pixels; control points, from the corner of the first one. */
const toPlaces = ({ grid }: Sentinel1Annotation): KnownPlace[] =>
  grid.map(({ line, pixel, position: [x, y] }) => ({ column: pixel + 0.5, row: line + 0.5, x, y }));
