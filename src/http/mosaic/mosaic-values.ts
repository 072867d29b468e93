/** Values of mosaics: at a point, in an area, and the range that pictures show. */
import { splitExpressions } from '../../bandmath/index.ts';
import type { AreaOutline, Grid } from '../../geo/index.ts';
import type { Mosaic, PlannedMosaic } from '../../mosaic/index.ts';
import { finestM, MAX_AREA_PX, measureArea, toAreaRequest, toValueOptions } from '../../mosaic/index.ts';
import { makeProjection } from '../../proj/index.ts';
import type { RenderOptions } from '../../render/index.ts';
import { utmCodeAt } from '../../render/native/index.ts';
import type { AreaDeps } from '../areas.ts';
import { areaFields, EXAMPLE_AREA, readAreaBody } from '../areas.ts';
import { explainMosaic } from '../explain/explain-mosaics.ts';
import { toShortest } from '../kit/answer-bodies.ts';
import { Answer, toCacheHeaders } from '../kit/answers.ts';
import type { ApiRequest, Endpoint } from '../kit/endpoint.ts';
import { EXAMPLE_SCENE, pixelFailures } from '../kit/endpoint.ts';
import { defineFields, refuseField, toObjectSchema } from '../kit/fields.ts';
import { json } from '../kit/json-schema.ts';
import type { ExplainMode } from '../kit/parameters.ts';
import { defineParameters, flag, readExplainMode } from '../kit/parameters.ts';
import { pointParameters } from '../kit/paths.ts';
import { curveSchema, stretchName, toWireRange } from '../pictures/styling.ts';
import type { Explains, MosaicDeps } from './mosaic-picture.ts';
import { explainContrast, toWireSources } from './mosaic-picture.ts';
import { mosaicParameters, mosaicPathParameters, parseMosaicPath, toMosaic } from './mosaic-request.ts';

const value = json.nullable(json.number());
const position = pointParameters(EXAMPLE_SCENE);

const valueParameters = defineParameters({
  CALIBRATE: flag({
    description: 'Physical values before band math: comparable across sensors. Off by default.',
    fallback: false,
  }),
  STRETCH: stretchName({ description: 'natural: the fixed ranges of natural colour. auto by default.' }),
});

const failures: Endpoint['answers'] = {
  400: { description: 'The path, query or body is malformed.' },
  404: { description: 'No such area, or no scene there.' },
  422: { description: 'An unsupported band or operation, or more scenes than may be read.' },
  ...pixelFailures,
};

const sources = json.list(
  json.object({ view_id: json.string(), date: json.string(), sensor: json.string() }, { isOpen: true }),
);

/** `GET /api/mosaic/point/{sensors}/{period}/{bands}/{lat}/{lon}`. */
export const mosaicPoint = (deps: MosaicDeps): Endpoint => ({
  summary: 'The value of a mosaic at a point, and the scenes it comes from',
  tag: 'Mosaic',
  params: { ...mosaicPathParameters, ...position },
  query: { ...mosaicParameters, CALIBRATE: valueParameters.CALIBRATE },
  answers: {
    200: {
      description: 'The value, null where no scene shows the ground; and the scenes.',
      content: {
        'application/json': json.object({
          index_value: value,
          'index_values?': json.list(value),
          scenes: json.integer({ description: 'How many scenes the value is made of.' }),
          sources,
        }),
      },
    },
    ...failures,
  },
  async handle(request) {
    const { rest, ...path } = parseMosaicPath(request.rawPath, 'point/', 2);
    const [lat, lon] = rest;
    const point = { lat: position.lat.parse(lat), lon: position.lon.parse(lon) };
    const mosaic = await toMosaic(path, request.query, deps.areas);
    const wanted = { mosaic, point, calibrated: valueParameters.CALIBRATE.read(request.query) };
    return answerMosaicPoint(request, wanted, { ...deps, explain: readExplainMode(request.query) });
  },
});

interface PointRequest {
  readonly mosaic: Mosaic;
  readonly point: { readonly lat: number; readonly lon: number };
  readonly calibrated: boolean;
}

/** Reads a mosaic at a point: the pixel that the point lies in, of each scene; or explains it. */
export async function answerMosaicPoint(
  request: ApiRequest,
  { mosaic, point, calibrated }: PointRequest,
  { explain: mode = null, ...deps }: MosaicDeps & Explains,
): Promise<Answer> {
  const { mosaics, maxAgeS } = deps;
  const grid = toPointGrid(mosaic, point);
  const options: RenderOptions = { ...toValueOptions(calibrated), method: 'near' };
  const planned = await mosaics.plan({ ...mosaic, grid, options });
  if (mode !== null) return explainValues(request, { explains: 'mosaic-point', planned, mode, deps });
  const found = await mosaics.readValues(planned, null, request.ticket);
  const isThere = found.mask[0] === 1;
  const values = found.channels.map(([number = Number.NaN]) =>
    isThere && Number.isFinite(number) ? toShortest(number) : null,
  );
  const [only = null, ...more] = values;
  const scenes = found.counts?.[0] ?? (isThere ? 1 : 0);
  const body = {
    ...(more.length === 0 ? { index_value: only } : { index_value: null, index_values: values }),
    scenes,
    sources: isThere ? toWireSources(found.sources.map(({ hit }) => ({ hit, pixels: null }))) : [],
  };
  return Answer.json(body, { headers: toCacheHeaders(maxAgeS) });
}

interface ExplainedValues {
  readonly explains: 'mosaic-point' | 'mosaic-statistics';
  readonly planned: PlannedMosaic;
  readonly mode: ExplainMode;
  readonly outline?: AreaOutline;
  readonly deps: MosaicDeps;
}

/** Answers with the plan of values of a mosaic. */
const explainValues = (
  request: ApiRequest,
  { explains, planned, mode, outline, deps }: ExplainedValues,
): Promise<Answer> =>
  explainMosaic(
    request,
    {
      explains,
      planned,
      mode,
      work: (ticket) => deps.mosaics.readValues(planned, outline ?? null, ticket),
    },
    deps,
  );

/** One pixel of the finest band around a point. */
function toPointGrid({ search }: Mosaic, { lat, lon }: PointRequest['point']): Grid {
  const pixelM = finestM(search.datasets);
  const epsg = utmCodeAt(lon, lat);
  const [x, y] = makeProjection(4326, epsg).forward(lon, lat);
  return { epsg, transform: [x - pixelM / 2, pixelM, 0, y + pixelM / 2, 0, -pixelM], width: 1, height: 1 };
}

/** `GET /api/mosaic/ir/{sensors}/{period}/{bands}`. */
export const mosaicIntensity = (deps: MosaicDeps): Endpoint => ({
  summary: 'The values that pictures of a mosaic show from black to white',
  tag: 'Mosaic',
  params: mosaicPathParameters,
  query: { ...mosaicParameters, ...valueParameters },
  answers: {
    200: {
      description: 'One range for each channel; MIN_MAX draws the same.',
      content: {
        'application/json': json.object({
          bands: json.list(
            json.object({ band: json.string(), min: json.number(), max: json.number(), ...curveSchema }),
          ),
        }),
      },
    },
    ...failures,
  },
  async handle(request) {
    const path = parseMosaicPath(request.rawPath, 'ir/', 0);
    const mosaic = await toMosaic(path, request.query, deps.areas);
    const isNatural = valueParameters.STRETCH.read(request.query) === 'natural';
    const planned = await deps.mosaics.planSomewhere({
      ...mosaic,
      options: {
        ...toValueOptions(valueParameters.CALIBRATE.read(request.query)),
        ...(isNatural ? { isNatural } : {}),
      },
    });
    const mode = readExplainMode(request.query);
    if (mode !== null) return explainContrast(request, 'mosaic-intensity', planned, { ...deps, mode });
    const contrast = await deps.mosaics.findContrast(planned, request.ticket);
    const texts = splitExpressions(mosaic.bands);
    const bands = contrast.map((range, i) => ({
      band: texts.length === contrast.length ? (texts[i] as string) : mosaic.bands,
      ...toWireRange(range),
    }));
    return Answer.json({ bands }, { headers: toCacheHeaders(deps.maxAgeS) });
  },
});

const fields = defineFields({
  ...areaFields,
  resolution: {
    schema: json.number({ above: 0, max: 10_000 }),
    parse(metres, name): number | null {
      if (metres === undefined) return null;
      if (typeof metres === 'number' && metres > 0 && metres <= 10_000) return metres;
      throw refuseField(name, 'must be a number of metres, above 0 and at most 10000.');
    },
  },
});

/** `POST /api/mosaic/statistics/{sensors}/{period}/{bands}`. */
export const mosaicStatistics = (deps: MosaicDeps & AreaDeps): Endpoint => ({
  summary: 'Statistics of a mosaic in an area',
  description: `Counted on square pixels of the UTM zone of the area: of the given resolution in metres, or of the finest band; coarser if a side would have more than ${MAX_AREA_PX}.`,
  tag: 'Mosaic',
  params: mosaicPathParameters,
  query: { ...mosaicParameters, CALIBRATE: valueParameters.CALIBRATE },
  body: {
    description: 'The area: a geometry, or the cropper_ref of a stored one.',
    schema: toObjectSchema(fields),
    example: { geometry: EXAMPLE_AREA, resolution: 20 },
  },
  answers: {
    200: {
      description: 'One summary for each channel, null where no scene shows the area; and the scenes.',
      content: {
        'application/json': json.object({
          pixel_m: json.number(),
          bands: json.list(json.object({ band: json.string() }, { isOpen: true })),
          sources,
        }),
      },
    },
    ...failures,
    413: { description: 'The body is too large.' },
  },
  async handle(request) {
    const path = parseMosaicPath(request.rawPath, 'statistics/', 0);
    const mosaic = await toMosaic(path, request.query, deps.areas);
    const { body, outline } = await readAreaBody(request, deps);
    const resolutionM = fields.resolution.read(body);
    const calibrated = valueParameters.CALIBRATE.read(request.query);
    const wanted = { mosaic, outline, resolutionM, calibrated };
    return answerMosaicStatistics(request, wanted, { ...deps, explain: readExplainMode(request.query) });
  },
});

/** Measures a mosaic in an area, or explains it. */
export async function answerMosaicStatistics(
  request: ApiRequest,
  wanted: Parameters<typeof toAreaRequest>[0],
  { explain: mode = null, ...deps }: MosaicDeps & Explains,
): Promise<Answer> {
  const { mosaic, outline } = wanted;
  const planned = await deps.mosaics.plan(toAreaRequest(wanted));
  if (mode !== null)
    return explainValues(request, { explains: 'mosaic-statistics', planned, mode, outline, deps });
  const { summaries, sources: found } = await measureArea(deps.mosaics, { planned, outline }, request.ticket);
  const texts = splitExpressions(mosaic.bands);
  const bands = summaries.map((summary, i) => ({
    band: texts.length === summaries.length ? (texts[i] as string) : mosaic.bands,
    ...summary,
  }));
  const body = { pixel_m: planned.request.grid.transform[1], bands, sources: toWireSources(found) };
  return Answer.json(body, { headers: { 'cache-control': 'no-store' } });
}
