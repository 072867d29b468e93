/** Pictures of mosaics: tiles and images, their legends, and where each pixel comes from. */
import type {
  MosaicPicture,
  MosaicPictureRequest,
  Mosaics,
  PlannedMosaic,
  SourceShare,
} from '../../mosaic/index.ts';
import { isPicking, toSceneColor } from '../../mosaic/index.ts';
import type { Ticket } from '../../pool/index.ts';
import { toPictureGrid } from '../../render/index.ts';
import type { MosaicExplainer } from '../explain/explain-mosaics.ts';
import { explainMosaic } from '../explain/explain-mosaics.ts';
import { Answer, answerDrawn, toCacheHeaders } from '../kit/answers.ts';
import type { ApiRequest, Endpoint } from '../kit/endpoint.ts';
import { json } from '../kit/json-schema.ts';
import type { ExplainMode } from '../kit/parameters.ts';
import { readExplainMode } from '../kit/parameters.ts';
import { positionParameters, rememberParsed } from '../kit/paths.ts';
import type { Metrics } from '../metrics.ts';
import { legendAnswer, writeLegend } from '../pictures/legend.ts';
import type { NamedThings } from '../pictures/picture.ts';
import {
  findNamedThings,
  mediaTypes,
  parsePictureQuery,
  pictureFailures,
  pictureParameters,
  withEnding,
} from '../pictures/picture.ts';
import type { AttributionDeps } from './attribution.ts';
import { nameSources } from './attribution.ts';
import type { MosaicPicturePath } from './mosaic-request.ts';
import {
  mosaicParameters,
  mosaicPathParameters,
  parseMosaicPicturePath,
  toMosaic,
} from './mosaic-request.ts';

/** What pictures of mosaics are made of. */
export interface MosaicDeps extends NamedThings {
  readonly mosaics: Mosaics;
  readonly explainer: MosaicExplainer['explainer'];
  readonly metrics: Metrics;
  readonly maxAgeS: number;
}

const params = { ...mosaicPathParameters, ...positionParameters };
const query = { ...pictureParameters, ...mosaicParameters };

/** Reads a request for a picture of a mosaic. */
async function readMosaicPicture(
  request: ApiRequest,
  path: MosaicPicturePath,
  deps: NamedThings,
): Promise<MosaicPictureRequest> {
  const { ground, ending, ...named } = path;
  const asked = withEnding(parsePictureQuery(request.query), ending);
  const mosaic = await toMosaic(named, request.query, deps.areas);
  const options = await findNamedThings(asked, deps);
  return { ...mosaic, grid: toPictureGrid(ground, asked), options };
}

/** `GET /api/mosaic/{sensors}/{period}/{bands}/{z}/{x}/{y}`. */
export function mosaicPicture(deps: MosaicDeps): Endpoint {
  const parsePath = rememberParsed((rawPath: string) => parseMosaicPicturePath(rawPath, ''));
  return {
    summary: 'A map tile of many scenes, or an image of any rectangle',
    description:
      'Scenes of one or several sensors in a period, put together pixel by pixel. One contrast for all tiles. The query is that of pictures of scenes, and says how scenes are chosen.',
    tag: 'Mosaic',
    params,
    query,
    answers: {
      200: {
        description: 'The picture; transparent where no scene shows the ground.',
        content: { 'image/png': null, 'image/jpeg': null, 'image/webp': null },
      },
      304: { description: 'The picture you have (If-None-Match) is still current.' },
      ...pictureFailures,
    },
    async handle(request) {
      const explain = readExplainMode(request.query);
      const wanted = await readMosaicPicture(request, parsePath(request.rawPath), deps);
      return answerMosaic(request, wanted, { ...deps, explain });
    },
  };
}

/** Whether an answer is explained. */
export interface Explains {
  /** Null by default; never read from the query of a route without a key. */
  readonly explain?: ExplainMode | null;
}

/** Plans a picture of a mosaic and draws it, unless the client has it already; or explains it. */
export async function answerMosaic(
  request: ApiRequest,
  wanted: MosaicPictureRequest,
  { explain: mode = null, ...deps }: MosaicDeps & Explains,
): Promise<Answer> {
  const startedAt = performance.now();
  const { mosaics, metrics, maxAgeS } = deps;
  const planned = await mosaics.plan(wanted);
  if (mode !== null) {
    const work = (ticket: Ticket) => mosaics.render(planned, ticket);
    return explainMosaic(request, { explains: 'mosaic', planned, mode, work, describe }, deps);
  }
  return answerDrawn(request, {
    etag: planned.etag,
    cacheHeaders: toCacheHeaders(maxAgeS),
    startedAt,
    observe: metrics.observeRender,
    async draw() {
      const picture = await mosaics.render(planned, request.ticket);
      return { ...picture, mediaType: mediaTypes[picture.format] };
    },
  });
}

const describe = ({ format, bytes, stagesMs, etag }: MosaicPicture) => ({
  stagesMs,
  picture: { format, bytes },
  etag,
});

/** `GET /api/mosaic/sources/{sensors}/{period}/{bands}/{z}/{x}/{y}`. */
export const mosaicSources = (deps: MosaicDeps): Endpoint => ({
  summary: 'Where the pixels of a mosaic come from, as a picture',
  description:
    'A colour for each scene; where each pixel is computed of several scenes, a colour for their number. The legend names the scenes.',
  tag: 'Mosaic',
  params,
  query,
  answers: {
    200: { description: 'The picture.', content: { 'image/png': null } },
    304: { description: 'The picture you have (If-None-Match) is still current.' },
    ...pictureFailures,
  },
  async handle(request) {
    const startedAt = performance.now();
    const path = parseMosaicPicturePath(request.rawPath, 'sources/');
    const planned = await planSources(request, path, deps);
    const mode = readExplainMode(request.query);
    if (mode !== null) return explainSources(request, planned, { ...deps, mode });
    return answerDrawn(request, {
      etag: `sources-${planned.etag}`,
      cacheHeaders: toCacheHeaders(deps.maxAgeS),
      startedAt,
      observe: deps.metrics.observeRender,
      async draw() {
        const { bytes, stagesMs, etag } = await deps.mosaics.drawSources(planned, request.ticket);
        return { bytes, stagesMs, mediaType: 'image/png', etag: `sources-${etag}` };
      },
    });
  },
});

/** Plans a picture whose pixels are those of scenes that can be named. */
async function planSources(
  request: ApiRequest,
  path: MosaicPicturePath,
  deps: MosaicDeps,
): Promise<PlannedMosaic> {
  const wanted = await readMosaicPicture(request, path, deps);
  return deps.mosaics.plan({ ...wanted, withoutPyramid: true });
}

/** Answers with the plan of what sources are drawn and listed from. */
const explainSources = (
  request: ApiRequest,
  planned: PlannedMosaic,
  { mode, ...deps }: MosaicDeps & { readonly mode: ExplainMode },
): Promise<Answer> =>
  explainMosaic(
    request,
    {
      explains: 'mosaic-sources',
      planned,
      mode,
      work: (ticket) => deps.mosaics.drawSources(planned, ticket),
      describe,
    },
    deps,
  );

const sourceSchema = json.object({
  view_id: json.string(),
  date: json.string({ description: 'When it was taken, in UTC.' }),
  sensor: json.string(),
  'color?': json.string({ description: 'Its colour in the picture of sources.' }),
  'pixels?': json.integer({ description: 'Pixels that come from it.' }),
});

/** The scenes of a mosaic as answers name them. */
export const toWireSources = (sources: readonly SourceShare[]) =>
  sources.map(({ hit, pixels }) => ({
    view_id: hit.viewId,
    date: hit.acquiredAt,
    sensor: hit.viewId.slice(0, hit.viewId.indexOf('/')),
    ...(pixels === null ? {} : { color: `#${toSceneColor(hit).toString(16).padStart(6, '0')}`, pixels }),
  }));

/** `GET /api/mosaic/sources/legend/{…}`. */
export const mosaicSourcesLegend = (deps: MosaicDeps & AttributionDeps): Endpoint => ({
  summary: 'The scenes that a picture of a mosaic is made of',
  tag: 'Mosaic',
  params,
  query,
  answers: {
    200: {
      description:
        'The scenes, in the order of the selection, with colours and pixels where each pixel comes from one of them.',
      content: {
        'application/json': json.object({
          picks: json.boolean({ description: 'Each pixel comes from one scene.' }),
          attribution: json.string({ description: 'Whom a page that shows the picture must name.' }),
          sources: json.list(sourceSchema),
        }),
      },
    },
    ...pictureFailures,
  },
  async handle(request) {
    const path = parseMosaicPicturePath(request.rawPath, 'sources/legend/');
    const planned = await planSources(request, path, deps);
    const mode = readExplainMode(request.query);
    if (mode !== null) return explainSources(request, planned, { ...deps, mode });
    const { sources } = await deps.mosaics.drawSources(planned, request.ticket);
    const picks = isPicking(planned.request.composition.selection);
    const attribution = await nameSources(
      sources.map(({ hit }) => hit),
      deps,
    );
    const body = { picks, attribution, sources: toWireSources(sources) };
    return Answer.json(body, { headers: toCacheHeaders(deps.maxAgeS) });
  },
});

/** `GET /api/mosaic/legend/{the address of a picture}`. */
export const mosaicLegend = (deps: MosaicDeps): Endpoint => ({
  summary: 'The legend of a mosaic',
  description: 'The colours and values of its pictures, with the contrast that all of them share.',
  tag: 'Mosaic',
  params,
  query,
  answers: {
    200: legendAnswer,
    ...pictureFailures,
  },
  async handle(request) {
    const path = parseMosaicPicturePath(request.rawPath, 'legend/');
    const planned = await deps.mosaics.plan(await readMosaicPicture(request, path, deps));
    const explain = readExplainMode(request.query);
    return answerMosaicLegend(request, planned, { ...deps, explain });
  },
});

/** Says what the colours of a mosaic mean, or explains where they come from. */
export async function answerMosaicLegend(
  request: ApiRequest,
  planned: PlannedMosaic,
  { explain: mode = null, ...deps }: MosaicDeps & Explains,
): Promise<Answer> {
  if (mode !== null) return explainContrast(request, 'mosaic-legend', planned, { ...deps, mode });
  const contrast = await deps.mosaics.findContrast(planned, request.ticket);
  const legend = writeLegend(planned.request.bands, { color: planned.look.color, contrast });
  return Answer.json(legend, { headers: toCacheHeaders(deps.maxAgeS) });
}

/** Answers with the scenes that the contrast of a mosaic is measured in. */
export const explainContrast = (
  request: ApiRequest,
  explains: 'mosaic-legend' | 'mosaic-intensity',
  planned: PlannedMosaic,
  { mode, ...deps }: MosaicDeps & { readonly mode: ExplainMode },
): Promise<Answer> =>
  explainMosaic(
    request,
    {
      explains,
      planned,
      mode,
      work: (ticket) => deps.mosaics.findContrast(planned, ticket),
    },
    deps,
  );
