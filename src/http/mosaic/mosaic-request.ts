/** Addresses and queries of mosaics: which scenes, how they are put together, and what of them is shown. */
import type { AreaGeometry } from '../../geo/index.ts';
import { boundsRing, outlineBounds } from '../../geo/index.ts';
import type { Areas, KeptArea } from '../../library/index.ts';
import type { Composition, Mosaic, MosaicSearch, Selection } from '../../mosaic/index.ts';
import { isDay, PERIOD_FORMS, PERIOD_PATTERN, parsePeriod } from '../../mosaic/index.ts';
import type { PictureGround } from '../../render/index.ts';
import { sensorByAbbreviation, sensors } from '../../sensors/index.ts';
import { AREA_REF, findArea } from '../areas.ts';
import { badInput, notFound } from '../errors.ts';
import { json } from '../kit/json-schema.ts';
import type { ParameterDoc, Query } from '../kit/parameters.ts';
import { choice, custom, decimal, defineParameters, text, whole } from '../kit/parameters.ts';
import type { EndingFormat } from '../kit/paths.ts';
import { decodeSegments, parseGround, splitRow } from '../kit/paths.ts';

/** What the addresses of mosaics begin with. */
const MOSAIC_ROOT = '/api/mosaic/';

/** The names of selections on the wire. */
const SELECTIONS = [
  'newest',
  'oldest',
  'least_cloudy',
  'nearest',
  'highest',
  'lowest',
  'median',
  'mean',
  'stddev',
  'count',
  'medoid',
  'percentile',
] as const;

const MASKS = ['clouds', 'cirrus', 'shadows'] as const;

/** How far masks are widened at most: beyond it a mosaic has hardly a pixel left. */
const MAX_DILATE_M = 1_000;
const MAX_FEATHER_PX = 64;

/** The parameters that say how scenes become a mosaic. */
export const mosaicParameters = defineParameters({
  selection: choice({
    description:
      'Which scene a pixel comes from: the newest, oldest or least_cloudy one that shows the ground, the one nearest to a date, the one where an expression is highest or lowest, the medoid; or what is computed of all of them: median, mean, stddev, count, percentile.',
    names: SELECTIONS,
    fallback: 'newest',
  }),
  by: text({ description: 'The expression of highest and lowest, such as NDVI.', fallback: null }),
  date: custom({
    description: 'The day of nearest.',
    example: '2026-07-15',
    schema: json.string({ pattern: /^\d{4}-\d{2}-\d{2}$/ }),
    fallback: null,
    rule: 'must be a day such as 2026-07-15.',
    read: (day) => (isDay(day) ? day : null),
  }),
  percent: decimal({ description: 'The percentage of percentile.', min: 0, max: 100, fallback: null }),
  prefer: choice({
    description:
      'sensors takes a pixel from the sensor that is named first, and from the next ones only where it shows nothing: fine pictures over coarse ones.',
    names: ['sensors'],
    fallback: null,
  }),
  max_cloud: decimal({
    description: 'Scenes with a larger cloud cover, in percent, are left out.',
    min: 0,
    max: 100,
    fallback: null,
  }),
  mask: custom({
    description:
      'What is left out of each scene, a list of clouds, cirrus and shadows; none for nothing. All three by default, as far as the sensor marks them.',
    example: 'clouds,shadows',
    schema: json.string({ pattern: /^(?:none|(?:clouds|cirrus|shadows)(?:,(?:clouds|cirrus|shadows))*)$/ }),
    fallback: { clouds: true, cirrus: true, shadows: true },
    rule: 'must be none, or a list of clouds, cirrus and shadows.',
    read: parseMasks,
  }),
  dilate: decimal({
    description: 'By how many metres what is left out is widened.',
    min: 0,
    max: MAX_DILATE_M,
    fallback: 0,
  }),
  feather: whole({
    description: 'Over how many pixels one scene fades into the next, for selections by order.',
    min: 0,
    max: MAX_FEATHER_PX,
    fallback: 0,
  }),
  within: text({
    description: 'A stored area that scenes must touch, by its cropper_ref.',
    pattern: AREA_REF,
    fallback: null,
  }),
});

function parseMasks(list: string): Composition['masked'] | null {
  const names = list.split(',');
  if (list !== 'none' && !names.every((name) => MASKS.includes(name as (typeof MASKS)[number]))) return null;
  return {
    clouds: names.includes('clouds'),
    cirrus: names.includes('cirrus'),
    shadows: names.includes('shadows'),
  };
}

/** The segments of a mosaic's address before its position. */
export const mosaicPathParameters = {
  sensors: {
    description: 'Sensors, as in view ids, separated by commas.',
    schema: json.string({ pattern: /^[A-Za-z0-9]{1,20}(?:,[A-Za-z0-9]{1,20}){0,7}$/ }),
    example: 'S2L2A',
  },
  period: {
    description: `Days in UTC: ${PERIOD_FORMS}.`,
    schema: json.string({ pattern: PERIOD_PATTERN }),
    example: '2026-06',
  },
  bands: {
    description: 'Bands, an index or any band math, that every sensor of the mosaic knows.',
    schema: json.string(),
    example: 'B04,B03,B02',
  },
} as const satisfies Readonly<Record<string, ParameterDoc>>;

/** What the address of a mosaic names, without its position. */
export interface MosaicPath {
  readonly datasets: readonly string[];
  readonly period: MosaicSearch['period'];
  readonly bands: string;
}

/** The address of a picture of a mosaic. */
export interface MosaicPicturePath extends MosaicPath {
  readonly ground: PictureGround;
  readonly ending: { readonly isDouble: boolean; readonly format: EndingFormat | null };
}

/** Reads `{sensors}/{period}/{bands}/{z}/{x}/{y}` behind some segments; bands may hold slashes. */
export function parseMosaicPicturePath(rawPath: string, verb: string): MosaicPicturePath {
  const { rest, ...path } = parseMosaicPath(rawPath, verb, 3);
  const [z = '', x = '', row = ''] = rest;
  const { y, ...ending } = splitRow(row);
  return { ...path, ground: parseGround(z, x, y), ending };
}

/** Reads an address with some segments behind the bands. */
export function parseMosaicPath(
  rawPath: string,
  verb: string,
  restCount: number,
): MosaicPath & { readonly rest: readonly string[] } {
  const segments = decodeSegments(rawPath.slice(MOSAIC_ROOT.length + verb.length));
  const [names = '', period = '', ...others] = segments;
  if (segments.length < 3 + restCount) {
    throw notFound(
      'unknown-route',
      'There is nothing at this address: that of a mosaic is {sensors}/{period}/{bands}/{z}/{x}/{y}, and /docs lists the others.',
    );
  }
  return {
    datasets: parseSensors(names),
    period: parsePeriod(period),
    bands: others.slice(0, others.length - restCount).join('/'),
    rest: restCount === 0 ? [] : others.slice(-restCount),
  };
}

/** Sensors of one mosaic. */
export const MAX_SENSORS = 8;

/** Sensors by their abbreviations, separated by commas: their datasets. */
export function parseSensors(names: string): readonly string[] {
  const datasets = names.split(',').map((name) => {
    const sensor = sensorByAbbreviation(name);
    if (sensor !== null) return sensor.dataset;
    const known = sensors.map(({ abbreviation }) => abbreviation).join(', ');
    throw badInput('unknown-sensor', `There is no sensor "${name.slice(0, 20)}"; there are ${known}.`);
  });
  if (new Set(datasets).size !== datasets.length || datasets.length > MAX_SENSORS)
    throw badInput('bad-sensors', `A mosaic has at most ${MAX_SENSORS} sensors, each of them once.`);
  return datasets;
}

/** A mosaic as an address and its query say it. */
export async function toMosaic(
  { datasets, period, bands }: MosaicPath,
  query: Query,
  areas: Areas,
): Promise<Mosaic> {
  const { prefer, max_cloud, within } = mosaicParameters;
  const ref = within.read(query);
  return {
    search: {
      datasets,
      ...(prefer.read(query) === null ? {} : { isRanked: true as const }),
      period,
      maxCloudPercent: max_cloud.read(query),
      area: ref === null ? null : { ref, geometry: toSearchArea(await findArea(ref, areas)) },
    },
    composition: readComposition(query),
    bands,
  };
}

/** How scenes become one picture, as a query says it. */
export const readComposition = (query: Query): Composition => ({
  selection: parseSelection(query),
  masked: mosaicParameters.mask.read(query),
  dilateM: mosaicParameters.dilate.read(query),
  featherPx: mosaicParameters.feather.read(query),
});

function parseSelection(query: Query): Selection {
  const name = mosaicParameters.selection.read(query);
  const { by, date, percent } = mosaicParameters;
  switch (name) {
    case 'highest':
    case 'lowest':
      return { kind: name, by: require(by.read(query), name, 'by, an expression such as NDVI') };
    case 'nearest':
      return { kind: name, date: require(date.read(query), name, 'date, a day such as 2026-07-15') };
    case 'percentile':
      return { kind: name, percent: require(percent.read(query), name, 'percent, from 0 to 100') };
    case 'least_cloudy':
      return { kind: 'least-cloudy' };
    case 'stddev':
      return { kind: 'deviation' };
    default:
      return { kind: name };
  }
}

/** The name of a selection on the wire. */
export const toSelectionName = ({ kind }: Selection): (typeof SELECTIONS)[number] =>
  kind === 'least-cloudy' ? 'least_cloudy' : kind === 'deviation' ? 'stddev' : kind;

function require<Value>(value: Value | null, selection: string, what: string): Value {
  if (value !== null) return value;
  throw badInput('bad-selection', `selection=${selection} needs ${what}.`);
}

/** Positions up to which an area is compared with footprints edge by edge. */
const MAX_POSITIONS = 256;

/** The area that scenes must touch: one with many positions counts by the rectangle around it. */
function toSearchArea({ geometry, outline }: KeptArea): AreaGeometry {
  if (outline.length / 4 <= MAX_POSITIONS) return JSON.parse(geometry) as AreaGeometry;
  return { type: 'Polygon', coordinates: [boundsRing(outlineBounds(outline))] };
}
