/** What an order of a mosaic says: which scenes, how they are put together, and the pixels of its file. */
import type { DownloadKind, ExportArea, MosaicContent, MosaicOrder } from '../../exports/index.ts';
import { isMosaicSystem } from '../../exports/index.ts';
import { isObject } from '../../json.ts';
import type { Areas, Colormaps } from '../../library/index.ts';
import { parsePeriod } from '../../mosaic/index.ts';
import { badInput } from '../errors.ts';
import type { Params } from '../kit/fields.ts';
import { defineFields, refuseField } from '../kit/fields.ts';
import type { JsonSchema } from '../kit/json-schema.ts';
import { json } from '../kit/json-schema.ts';
import type { Query } from '../kit/parameters.ts';
import { parseWhole } from '../kit/parameters.ts';
import { mosaicParameters, mosaicPathParameters, parseSensors, toMosaic } from '../mosaic/mosaic-request.ts';
import { bandsFields, indexFields } from './download-params.ts';
import { pictureFields, readFile, readPictureLook } from './picture-params.ts';

const { sensors, period } = mosaicPathParameters;

/** The mosaic, in the words of its addresses: each as a text or a number, and lists as lists or with commas. */
const mosaicSchema = json.object({
  sensors: json.union([sensors.schema, json.list(json.string(), { min: 1, max: 8 })], {
    description: sensors.description,
  }),
  period: { ...period.schema, description: period.description },
  ...toBodySchemas(mosaicParameters),
});

/** Parameters of mosaics as fields of an object. */
export function toBodySchemas(
  parameters: Partial<typeof mosaicParameters>,
): Readonly<Record<string, JsonSchema>> {
  return Object.fromEntries(
    Object.entries(parameters).map(([name, { schema, description }]): [string, JsonSchema] => [
      `${name}?`,
      name === 'mask'
        ? json.union([schema, json.list(json.string())], { description })
        : { ...schema, description },
    ]),
  );
}

/** The mosaic, in place of `view_id`. */
export const mosaicFields = defineFields({
  mosaic: {
    isRequired: true,
    schema: {
      ...mosaicSchema,
      description: 'Scenes of a period that are put together, in place of view_id.',
    },
    parse: parseMosaic,
  },
});

/** What files of values have in addition. */
export const mosaicValueFields = defineFields({
  px_size: pictureFields.px_size,
  crs: {
    schema: json.nullable(
      json.union([json.integer(), json.string({ max: 20, pattern: /^(EPSG:)?\d{4,5}$/ })]),
      {
        description:
          "EPSG code of longitude and latitude, Web Mercator or a UTM zone (EPSG:4326, EPSG:3857, EPSG:32631); by default the UTM zone of the area's middle.",
      },
    ),
    parse: parseSystem,
  },
  calibrate: indexFields.calibrate,
});

/** Whether an order is of a mosaic. */
export const isMosaicParams = (params: Params): boolean => (params.mosaic ?? null) !== null;

/** A mosaic has no extent of its own. */
export function requireArea(area: ExportArea | null): ExportArea {
  if (area !== null) return area;
  throw badInput('no-area', 'A mosaic needs an area: pass one of bbox, geometry and cropper_ref.');
}

function parseMosaic(value: unknown, name: string): Query {
  if (!isObject(value)) throw refuseField(name, 'must be an object with sensors and period.');
  const query = toMosaicQuery(value, name);
  for (const key of ['sensors', 'period']) if (!query.has(key)) throw refuseField(name, `must have ${key}.`);
  return query;
}

/** The fields of a mosaic as the query of its addresses would have them. */
export function toMosaicQuery(value: Params, name: string): Query {
  const query = new Map<string, string>();
  for (const [key, given] of Object.entries(value)) {
    if (given == null || given === '') continue;
    const items = Array.isArray(given) ? (given as unknown[]) : [given];
    if (!items.every((item) => typeof item === 'string' || typeof item === 'number'))
      throw refuseField(
        name,
        `must have texts, numbers or lists of them; ${key.slice(0, 40)} is none of these.`,
      );
    query.set(key, items.join(','));
  }
  return query;
}

function parseSystem(value: unknown, name: string): number | null {
  if (value == null || value === '') return null;
  const epsg = parseWhole(String(value).replace(/^EPSG:/i, ''));
  if (epsg !== null && isMosaicSystem(epsg)) return epsg;
  throw refuseField(
    name,
    'must be EPSG:4326, EPSG:3857 or a UTM zone, EPSG:32601 to 32660 or 32701 to 32760.',
  );
}

interface MosaicParamsDeps {
  readonly areas: Areas;
  readonly colormaps: Colormaps;
}

/** Reads an order of a mosaic, except for the area. */
export async function readMosaicParams(
  kind: DownloadKind,
  params: Params,
  { areas, colormaps }: MosaicParamsDeps,
): Promise<Omit<MosaicOrder, 'area'>> {
  if ((params.view_id ?? '') !== '')
    throw badInput('scene-and-mosaic', 'Pass view_id for one scene, or mosaic for many; not both.');
  const query = mosaicFields.mosaic.read(params);
  const { bands, content, pixelM, epsg } = await readContent(kind, params, colormaps);
  const { search, composition } = await toMosaic(
    {
      datasets: parseSensors(query.get('sensors') ?? ''),
      period: parsePeriod(query.get('period') ?? ''),
      bands,
    },
    query,
    areas,
  );
  return {
    mosaic: { search, composition },
    bands,
    nameAlias: indexFields.name_alias.read(params) || null,
    pixelM,
    epsg,
    content,
  };
}

type OrderedContent = Pick<MosaicOrder, 'bands' | 'content' | 'pixelM' | 'epsg'>;

async function readContent(
  kind: DownloadKind,
  params: Params,
  colormaps: Colormaps,
): Promise<OrderedContent> {
  if (kind === 'picture') {
    const { bands, options } = await readPictureLook(params, colormaps);
    const content: MosaicContent = { kind, options, file: readFile(params) };
    return { bands, content, pixelM: pictureFields.px_size.read(params), epsg: null };
  }
  const areBands = kind === 'bands';
  const bands = areBands
    ? bandsFields.bands
        .read(params)
        .filter((name) => name !== '')
        .join(',')
    : indexFields.bm_type.read(params);
  return {
    bands,
    content: { kind: 'values', areBands, calibrated: mosaicValueFields.calibrate.read(params) },
    pixelM: mosaicValueFields.px_size.read(params),
    epsg: mosaicValueFields.crs.read(params),
  };
}
