import { splitExpressions } from '../../bandmath/index.ts';
import { chooseLevel } from '../../catalog/index.ts';
import type { ColorPlan, Stretch } from '../../color/index.ts';
import { shownRange, toLegend } from '../../color/index.ts';
import type { ScenePictureRequest } from '../../render/index.ts';
import { toPictureGrid } from '../../render/index.ts';
import { explainLegend } from '../explain/explain-pictures.ts';
import { Answer, nameScene, sceneHeaders, toCacheHeaders } from '../kit/answers.ts';
import type { ApiRequest, Endpoint } from '../kit/endpoint.ts';
import { EXAMPLE_SCENE } from '../kit/endpoint.ts';
import { json } from '../kit/json-schema.ts';
import type { ExplainMode } from '../kit/parameters.ts';
import { readExplainMode } from '../kit/parameters.ts';
import { belowRenderRoot, parsePicturePath, parseSharpenPattern, positionParameters } from '../kit/paths.ts';
import type { AnswerPictureDeps, PictureDeps } from './picture.ts';
import {
  findNamedThings,
  parsePictureQuery,
  pictureFailures,
  pictureParameters,
  withEnding,
} from './picture.ts';
import { curveSchema, inUnits, toWireRange } from './styling.ts';

/** The legend of a picture, as it is documented. */
export const legendAnswer = {
  description: 'Colours, the thresholds between them, and the contrast range of each channel.',
  content: {
    'application/json': json.object({
      colors: json.list(json.string()),
      thresholds: json.list(json.number()),
      'values?': json.list(json.union([json.number(), json.string()])),
      'labels?': json.list(json.string()),
      bands: json.list(
        json.object({
          band: json.string(),
          'min?': json.number(),
          'max?': json.number(),
          ...curveSchema,
        }),
      ),
    }),
  },
};

/** Documented answers of legends of scenes. */
export const legendAnswers: Endpoint['answers'] = {
  200: { ...legendAnswer, headers: sceneHeaders },
  ...pictureFailures,
};

/** What the colours of a picture mean, with the contrast of each of its channels. */
export function writeLegend(
  bands: string,
  { color, contrast }: { readonly color: ColorPlan | null; readonly contrast: readonly Stretch[] },
): object {
  const [first = { min: 0, max: 1 }] = contrast;
  const isShown = color !== null || contrast.length === 1;
  const texts = splitExpressions(bands);
  return {
    ...(isShown ? toLegend(color, inUnits(first)) : { colors: [], thresholds: [] }),
    bands: contrast.map((measured, i) => {
      const range = shownRange(color, measured);
      // One alias may stand for three expressions.
      const band = texts.length === contrast.length ? (texts[i] as string) : bands;
      return { band, ...(range === null ? {} : toWireRange(range)) };
    }),
  };
}

/** `GET /api/render/legend/{the address of a picture}`: what its colours mean, after its contrast is known (ours). */
export const pictureLegend = (deps: PictureDeps): Endpoint => ({
  summary: 'The legend of a picture',
  description:
    'For the address and query of any picture: the colours and values that it uses, with the contrast of the scene. A palette has `values` instead of thresholds; an RGB picture has only the range of each channel.',
  tag: 'Render',
  params: {
    view_id: { description: 'As for pictures.', schema: json.string(), example: EXAMPLE_SCENE.viewId },
    bands: { description: 'As for pictures.', schema: json.string(), example: 'NDVI' },
    ...positionParameters,
  },
  query: pictureParameters,
  answers: legendAnswers,
  handle: (request) => answer(request, deps),
});

interface LegendDeps extends Pick<AnswerPictureDeps, 'scenes' | 'renderer' | 'explainer' | 'maxAgeS'> {
  /** Null by default; never read from the query of a route without a key. */
  readonly explain?: ExplainMode | null;
}

async function answer(request: ApiRequest, deps: PictureDeps): Promise<Answer> {
  const { ground, ending, ...path } = parsePicturePath(
    belowRenderRoot(request.rawPath).slice('legend/'.length),
  );
  const query = withEnding(parsePictureQuery(request.query), ending);
  const grid = toPictureGrid(ground, query);
  const options = await findNamedThings(query, deps);
  const explain = readExplainMode(request.query);
  return answerLegend(request, { ...path, grid, options }, { ...deps, explain });
}

/** Describes the colours of a picture, or explains where they come from. */
export async function answerLegend(
  request: ApiRequest,
  picture: ScenePictureRequest,
  { scenes, renderer, explainer, maxAgeS, explain = null }: LegendDeps,
): Promise<Answer> {
  const path = await chooseLevel(scenes, picture);
  const wanted = parseSharpenPattern({ ...picture, ...path });
  const planned = await renderer.plan(wanted);
  if (explain !== null)
    return nameScene(await explainLegend(request, planned, { explainer, renderer, mode: explain }), path);
  const { ticket } = request;
  const contrast = await renderer.findContrast(planned, ticket);
  const color = await renderer.findColor(planned, ticket);
  const legend = writeLegend(wanted.bands, { color, contrast });
  return nameScene(Answer.json(legend, { headers: toCacheHeaders(maxAgeS) }), path);
}
