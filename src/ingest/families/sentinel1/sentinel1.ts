import type { BandCalibration } from '../../../catalog/index.ts';
import { isSwathError } from '../../../errors.ts';
import type { FoundFile } from '../../../files/index.ts';
import type { GroundControlPoint } from '../../../proj/index.ts';
import type { FieldsOf, Sensor } from '../../../sensors/index.ts';
import { parseViewId } from '../../../sensors/index.ts';
import { sourceBroken } from '../../errors.ts';
import type { Product } from '../../folder/find-products.ts';
import type { ReadText } from '../../read-files.ts';
import type { StacItem } from '../../stac/item.ts';
import {
  findInNames,
  thumbnailOf,
  timeOnDay,
  toCommonFacts,
  toText,
  toTime,
  toWhole,
} from '../../stac/item.ts';
import type { DescribeItem, Family, ItemTools, ProductTools, SceneFacts } from '../family.ts';
import { DEFAULT_FACTS, toFields } from '../family.ts';
import type { Sentinel1Annotation, Sentinel1Overview } from './metadata.ts';
import { parseSentinel1Annotation, parseSentinel1Manifest, parseSentinel1ProductInfo } from './metadata.ts';
import type { Sentinel1Calibration, Sentinel1Noise } from './tables.ts';
import { parseSentinel1Calibration, parseSentinel1Noise } from './tables.ts';

/** The parsed texts of a product, by polarisation. */
interface RadarTexts {
  readonly annotations: readonly Sentinel1Annotation[];
  readonly calibrations: readonly Sentinel1Calibration[];
  readonly noises: readonly NoiseOrNote[];
}

type SomeFields = Pick<
  FieldsOf<'sentinel1'>,
  'absoluteOrbitNumber' | 'passDirection' | 'awsPath' | 'thumbnail'
>;

interface Take {
  readonly sensor: Sensor;
  /** `S1A_IW_GRDH_1SDV_20180716T004042_20180716T004107_022812_02792A_FD5B`. */
  readonly name: string;
  readonly acquiredAt: string;
  readonly processed: string | null;
  readonly texts: RadarTexts;
  readonly fields: SomeFields;
}

function toFacts({ sensor, name, acquiredAt, processed, texts, fields: some }: Take): SceneFacts {
  const { viewId, sceneName, parts } = parseViewId(`${sensor.abbreviation}/${name}`);
  const grids = new Map(texts.annotations.map((one) => [one.polarisation, toPoints(one)]));
  const { bands, notes } = toRadarBands(texts.calibrations, texts.noises);
  const calibrations = new Map(bands);
  return {
    ...DEFAULT_FACTS,
    sensor,
    viewId,
    sceneId: sceneName,
    acquiredAt,
    processed: processed ?? '',
    fields: toFields<'sentinel1'>({
      ...some,
      missionId: parts.mission,
      satelliteName: parts.mission?.replace('S1', 'Sentinel-1'),
      absoluteOrbitNumber: some.absoluteOrbitNumber ?? Number(parts.orbit),
      mode: parts.mode,
      // 1SDV: level 1, standard, dual, vertical
      polarization: parts.polarization?.slice(2),
      onAmazon: true,
    }),
    calibrationOf: ({ band }) => calibrations.get(band.name) ?? null,
    placementOf: (band) => {
      const gcps = grids.get(band);
      return gcps === undefined ? undefined : { epsg: 4326, gcps };
    },
    notes,
  };
}

/** Annotations count from the centre of the first pixel, control points from its corner. */
const toPoints = ({ grid }: Sentinel1Annotation): GroundControlPoint[] =>
  grid.map(({ line, pixel, position: [x, y] }) => ({ column: pixel + 0.5, row: line + 0.5, x, y }));

/** Describes a GRD product, of the bucket or of a SAFE folder. */
async function describeProduct(product: Product, { readText }: ProductTools): Promise<SceneFacts> {
  const { sensor, files } = product;
  const overview = await readOverview(product, readText);
  const annotations = await readAll(files.get('annotation'), readText, parseSentinel1Annotation);
  const calibrations = await readAll(files.get('calibration'), readText, parseSentinel1Calibration);
  const noises = await readAll(files.get('noise'), readText, tryNoise);
  const [first] = annotations;
  return toFacts({
    sensor,
    name: overview.name ?? (product.folder.at(-1) ?? '').replace(/\.SAFE$/, ''),
    acquiredAt: first?.startedAt ?? overview.startedAt,
    processed: overview.processedAt,
    texts: { annotations, calibrations, noises },
    fields: {
      absoluteOrbitNumber: first?.absoluteOrbit ?? overview.absoluteOrbit,
      passDirection: first?.pass ?? overview.pass,
      awsPath: overview.path,
    },
  });
}

async function readOverview({ files }: Product, readText: ReadText): Promise<Sentinel1Overview> {
  const [file] = files.get('product-metadata') ?? [];
  if (file === undefined)
    throw sourceBroken('metadata-missing', 'The product has neither manifest.safe nor productInfo.json.');
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
  // One by one: parsing an annotation takes some ten megabytes.
  for (const file of files ?? []) read.push(parse(await readText(file), file.parts.at(-1) ?? ''));
  return read;
}

const NAME =
  /S1[A-D]_(?:IW|EW|S[1-6])_GRD[FHM]_1S[SD][HV]_\d{8}T\d{6}_\d{8}T\d{6}_\d{6}_[0-9A-F]{6}(?:_[0-9A-F]{4})?/;

/**
 * Describes a GRD item. The projection extension cannot express the placement of its images: their files or annotations
 * must be read.
 */
const describeItem: DescribeItem = async (item, [sensor], { readText }) => {
  const { properties, assets } = item;
  const stated = toText(properties['s1:product_identifier']) ?? toText(properties.title) ?? '';
  const names = [stated, item.id, ...assets.flatMap(({ hrefs }) => hrefs)].flatMap(
    (text) => NAME.exec(text)?.[0] ?? [],
  );
  // Only some of the texts contain the full name, with its checksum.
  const name = names.toSorted((a, b) => b.length - a.length)[0];
  if (name === undefined)
    throw sourceBroken('stac-incomplete', 'It does not have the name of a Sentinel-1 GRD product.');
  const { date } = parseViewId(`${sensor.abbreviation}/${name}`);
  const started = toTime(properties.start_datetime);
  const facts = toFacts({
    sensor,
    name,
    acquiredAt: started?.slice(0, 10) === date ? started : timeOnDay(item, date),
    processed: toTime(properties['s1:processing_datetime']),
    texts: await readTexts(item, readText),
    fields: {
      absoluteOrbitNumber: toWhole(properties['sat:absolute_orbit']),
      passDirection: toText(properties['sat:orbit_state'])?.toUpperCase(),
      awsPath: findInNames(item, /GRD\/\d{4}\/\d{1,2}\/\d{1,2}\/\w{2}\/\w{2}\/S1[A-D]_\w+/)?.[0],
      thumbnail: thumbnailOf(item),
    },
  });
  return { ...facts, ...toCommonFacts(item), isPlacedByFile: true };
};

/** Annotations, calibrations and noise, by their names in stactools, which the catalogs use. */
async function readTexts({ assets }: StacItem, readText: ItemTools['readText']): Promise<RadarTexts> {
  const annotations: Sentinel1Annotation[] = [];
  const calibrations: Sentinel1Calibration[] = [];
  const noises: NoiseOrNote[] = [];
  for (const asset of assets) {
    const [, what] = /^schema-(product|calibration|noise)-(?:vv|vh|hh|hv)$/.exec(asset.key) ?? [];
    // Some catalogs name a report about radio interference like an annotation.
    if (what === undefined || asset.hrefs[0]!.includes('/rfi/')) continue;
    const text = await readText(asset);
    if (text === null) continue;
    if (what === 'product') annotations.push(parseSentinel1Annotation(text, asset.key));
    else if (what === 'calibration') calibrations.push(parseSentinel1Calibration(text, asset.key));
    else noises.push(tryNoise(text, asset.key));
  }
  return { annotations, calibrations, noises };
}

/** Sentinel-1 GRD: radar images, placed by a grid of points. */
export const sentinel1: Family = {
  name: 'sentinel-1',
  describeProduct,
  items: {
    accepted: [
      {
        collections: ['sentinel-1-grd', 'sentinel1-grd'],
        telltale: { id: /^S1[A-D]_(?:IW|EW|S[1-6])_GRD[FHM]_/ },
      },
    ],
    refused: [
      {
        collection: /^sentinel-?1-(?:rtc|slc)/,
        reason: 'Of the Sentinel-1 products only ground range detected (GRD) is supported.',
      },
    ],
    bandSpellings: [
      { pattern: /(?:^|-)vv(?:-|$)/i, band: 'VV' },
      { pattern: /(?:^|-)vh(?:-|$)/i, band: 'VH' },
      { pattern: /(?:^|-)hh(?:-|$)/i, band: 'HH' },
      { pattern: /(?:^|-)hv(?:-|$)/i, band: 'HV' },
    ],
    describe: describeItem,
  },
};

/** A table of noise, or why there is none. */
type NoiseOrNote = Sentinel1Noise | { readonly note: string };

/** Parses a noise file. Pictures can do without it, so a broken one costs the noise, not the scene. */
function tryNoise(text: string, what: string): NoiseOrNote {
  try {
    return parseSentinel1Noise(text, what);
  } catch (error) {
    if (!isSwathError(error) || error.tag === 'internal') throw error;
    return { note: `The noise is left out: ${error.message}` };
  }
}

/** The calibration of each polarisation, with its noise. */
function toRadarBands(
  calibrations: readonly Sentinel1Calibration[],
  noises: readonly NoiseOrNote[],
): { readonly bands: readonly (readonly [string, BandCalibration])[]; readonly notes: readonly string[] } {
  const known = new Map(
    noises.flatMap((one) =>
      'note' in one ? [] : [[one.polarisation, { range: one.range, azimuth: one.azimuth }]],
    ),
  );
  return {
    bands: calibrations.map(({ polarisation, sigmaNought }) => {
      const noise = known.get(polarisation);
      return [polarisation, { sigmaNought, ...(noise === undefined ? {} : { noise }) }];
    }),
    notes: noises.flatMap((one) => ('note' in one ? [one.note] : [])),
  };
}
