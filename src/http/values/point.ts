import type { SceneStore } from '../../catalog/index.ts';
import { chooseLevel } from '../../catalog/index.ts';
import type { Explainer, ReadPoint } from '../../render/index.ts';
import { badInput } from '../errors.ts';
import { toPointExplanation } from '../explain/explain-answers.ts';
import { answerExplained } from '../explain/explainable.ts';
import { toShortest } from '../kit/answer-bodies.ts';
import { Answer, nameScene, noteGains, noteHeaders, sceneHeaders, toCacheHeaders } from '../kit/answers.ts';
import type { ApiRequest, Endpoint } from '../kit/endpoint.ts';
import { EXAMPLE_SCENE, pixelFailures, sceneParameters } from '../kit/endpoint.ts';
import { json } from '../kit/json-schema.ts';
import type { ExplainMode } from '../kit/parameters.ts';
import { defineParameters, flag, readExplainMode } from '../kit/parameters.ts';
import { parseSceneVerbPath, pointParameters } from '../kit/paths.ts';

/** What point values are read with. */
export interface PointDeps {
  readonly scenes: SceneStore;
  readonly readPoint: ReadPoint;
  readonly explainer: Pick<Explainer, 'point'>;
  /** How long clients may cache a value: as long as a tile. */
  readonly maxAgeS: number;
}

const value = json.nullable(json.number());

const position = pointParameters(EXAMPLE_SCENE);

const query = defineParameters({
  CALIBRATE: flag({
    description:
      'Reflectance, brightness temperature or sigma nought before the math; stored numbers without.',
    fallback: false,
  }),
});

/** Documented answers of points. */
export const pointAnswers: Endpoint['answers'] = {
  200: {
    description: 'The value; of several expressions all of them.',
    headers: { ...sceneHeaders, ...noteHeaders },
    content: {
      'application/json': json.object({ index_value: value, 'index_values?': json.list(value) }),
    },
  },
  400: { description: 'The path or query is malformed, or the point is not on Earth.' },
  404: { description: 'No such scene, or the point lies outside of it.' },
  422: { description: 'An unsupported band or operation.' },
  ...pixelFailures,
};

/** `GET /api/render/{sensor}/point/{scene_id}/{bands}/{lat}/{lon}`. */
export const pointValue = (deps: PointDeps): Endpoint => ({
  summary: 'The value of a band or expression at a point',
  description:
    'Reads the full-resolution pixel of each band at the point and evaluates the expression. Null if there is no number: the pixel is masked or outside of a band, or the result is NaN or infinite, which JSON cannot represent. For several expressions, separated by commas, `index_values` has the values in order, and `index_value` is null. Functions that read other pixels (unwrap, all) have no value at a point.',
  tag: 'Render',
  params: {
    ...sceneParameters,
    bands: { description: 'A band, an index or any band math.', schema: json.string(), example: 'NDVI' },
    ...position,
  },
  query,
  answers: pointAnswers,
  handle: (request) => answer(request, deps),
});

async function answer(request: ApiRequest, deps: PointDeps): Promise<Answer> {
  const { rest, ...named } = parseSceneVerbPath(request.rawPath);
  if (rest.length < 3) {
    throw badInput('bad-path', 'The address of a point value ends in {scene_id}/{bands}/{lat}/{lon}.');
  }
  const [lat, lon] = rest.slice(-2);
  const point = { lat: position.lat.parse(lat), lon: position.lon.parse(lon) };
  const calibrated = query.CALIBRATE.read(request.query);
  const wanted = { ...named, bands: rest.slice(0, -2).join('/'), point, calibrated };
  return answerPoint(request, wanted, { ...deps, explain: readExplainMode(request.query) });
}

/** Reads the values of a scene at a point, or explains them. */
export async function answerPoint(
  request: ApiRequest,
  { bands, point, calibrated, ...named }: Parameters<ReadPoint>[0],
  {
    explain = null,
    ...deps
  }: PointDeps & {
    /** Null by default; never read from the query of a route without a key. */
    readonly explain?: ExplainMode | null;
  },
): Promise<Answer> {
  const { scenes, readPoint, maxAgeS } = deps;
  const scene = await chooseLevel(scenes, named);
  const wanted = { ...scene, bands, point, calibrated };
  if (explain !== null)
    return nameScene(await explainPoint(request, wanted, { ...deps, mode: explain }), scene);
  const values = await readPoint(wanted, request.ticket);
  const shown = values.map((number) => (number === null ? null : toShortest(number)));
  const [only = null, ...more] = shown;
  const body = more.length === 0 ? { index_value: only } : { index_value: null, index_values: shown };
  const response = Answer.json(body, { headers: toCacheHeaders(maxAgeS) });
  return nameScene(noteGains(response, { ...scene, bands, calibrated }), scene);
}

/** Answers with the pixels that a value is computed from, and after reading them with where the time went. */
async function explainPoint(
  request: ApiRequest,
  wanted: Parameters<ReadPoint>[0],
  { explainer, readPoint, mode }: PointDeps & { readonly mode: ExplainMode },
): Promise<Answer> {
  const plan = toPointExplanation(await explainer.point(wanted, request.ticket));
  return answerExplained(request, mode, { plan, work: (ticket) => readPoint(wanted, ticket) });
}
