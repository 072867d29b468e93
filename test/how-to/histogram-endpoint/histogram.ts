import { z } from 'zod';
import { badInput } from '../../../src/errors.ts';
import { answerCachedJson } from '../../../src/http/answer/cached-answer.ts';
import { nameScene, sceneHeaders } from '../../../src/http/answer/scene-used.ts';
import type { Endpoint } from '../../../src/http/endpoint/endpoint.ts';
import { pixelFailures, sceneParameters } from '../../../src/http/endpoint/shared-docs.ts';
import { parseSceneVerbPath } from '../../../src/http/request/scene-path.ts';
import { parseWhole } from '../../../src/http/request/strict-number.ts';
import type { FindSceneHistogram } from './scene-histogram.ts';

/** What histograms are made with. */
export interface HistogramDeps {
  readonly findHistogram: FindSceneHistogram;
  /** How long clients may cache one: as long as a tile. */
  readonly maxAgeS: number;
}

const MAX_BINS = 256;

/** `GET /api/render/{sensor}/histogram/{scene_id}/{bands}`. */
export const histogram = ({ findHistogram, maxAgeS }: HistogramDeps): Endpoint => ({
  summary: 'How often values of a band occur in a scene',
  tag: 'Render',
  params: {
    ...sceneParameters,
    bands: { description: 'A band, an index or any band math.', schema: z.string(), example: 'B04' },
  },
  query: {
    BINS: {
      description: 'Number of equal bins from 0 to 10,000.',
      schema: z.int().min(1).max(MAX_BINS).default(10),
    },
  },
  answers: {
    200: {
      description: 'The number of pixels in each bin.',
      headers: sceneHeaders,
      content: { 'application/json': z.object({ counts: z.array(z.int()) }) },
    },
    304: { description: 'The histogram you have (If-None-Match) is still right.' },
    400: { description: 'The path or query is malformed.' },
    404: { description: 'No such scene.' },
    422: { description: 'An unsupported band or operation.' },
    ...pixelFailures,
  },
  async handle(request) {
    const { rest, ...scene } = parseSceneVerbPath(request.rawPath);
    const bands = rest.join('/');
    if (bands === '') throw badInput('bad-path', 'The address of a histogram ends in {scene_id}/{bands}.');
    const text = request.query.get('BINS') ?? '10';
    const bins = parseWhole(text);
    if (bins === null || bins < 1 || bins > MAX_BINS)
      throw badInput('bad-bins', `BINS must be a whole number from 1 to ${MAX_BINS}.`);
    const range = { min: 0, max: 10_000, bins };
    const counts = await findHistogram({ ...scene, bands, bins: range }, request.ticket);
    return nameScene(await answerCachedJson(request, { counts }, { maxAgeS }), scene);
  },
});
