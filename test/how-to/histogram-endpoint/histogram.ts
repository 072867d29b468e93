import { badInput } from '../../../src/errors.ts';
import { answerCachedJson, nameScene, sceneHeaders } from '../../../src/http/kit/answers.ts';
import type { Endpoint } from '../../../src/http/kit/endpoint.ts';
import { pixelFailures, sceneParameters } from '../../../src/http/kit/endpoint.ts';
import { json } from '../../../src/http/kit/json-schema.ts';
import { defineParameters, whole } from '../../../src/http/kit/parameters.ts';
import { parseSceneVerbPath } from '../../../src/http/kit/paths.ts';
import type { FindSceneHistogram } from './scene-histogram.ts';

/** What histograms are made with. */
export interface HistogramDeps {
  readonly findHistogram: FindSceneHistogram;
  /** How long clients may cache one: as long as a tile. */
  readonly maxAgeS: number;
}

const parameters = defineParameters({
  BINS: whole({ description: 'Number of equal bins from 0 to 10,000.', min: 1, max: 256, fallback: 10 }),
});

/** `GET /api/render/{sensor}/histogram/{scene_id}/{bands}`. */
export const histogram = ({ findHistogram, maxAgeS }: HistogramDeps): Endpoint => ({
  summary: 'How often values of a band occur in a scene',
  tag: 'Render',
  params: {
    ...sceneParameters,
    bands: { description: 'A band, an index or any band math.', schema: json.string(), example: 'B04' },
  },
  query: parameters,
  answers: {
    200: {
      description: 'The number of pixels in each bin.',
      headers: sceneHeaders,
      content: { 'application/json': json.object({ counts: json.list(json.integer()) }) },
    },
    304: { description: 'The histogram you have (If-None-Match) is still current.' },
    400: { description: 'The path or query is malformed.' },
    404: { description: 'No such scene.' },
    422: { description: 'An unsupported band or operation.' },
    ...pixelFailures,
  },
  async handle(request) {
    const { rest, ...scene } = parseSceneVerbPath(request.rawPath);
    const bands = rest.join('/');
    if (bands === '') throw badInput('bad-path', 'The address of a histogram ends in {scene_id}/{bands}.');
    const range = { min: 0, max: 10_000, bins: parameters.BINS.read(request.query) };
    const counts = await findHistogram({ ...scene, bands, bins: range }, request.ticket);
    return nameScene(await answerCachedJson(request, { counts }, { maxAgeS }), scene);
  },
});
