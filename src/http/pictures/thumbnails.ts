/** Thumbnails of scenes: how they are drawn and cached, and their two addresses, with a key and with a signature. */

import type { Scene, SceneName, SceneStore } from '../../catalog/index.ts';
import { chooseLevel, findScene } from '../../catalog/index.ts';
import { badInput, isSwathError, notFound } from '../../errors.ts';
import type { Lru } from '../../lru.ts';
import { makeLru } from '../../lru.ts';
import type { RenderOptions } from '../../render/index.ts';
import { toWholeGrid } from '../../render/index.ts';
import { chooseComposition, sensorByDataset } from '../../sensors/index.ts';
import type { StretchOptions } from '../colors/contrast.ts';
import { parseStretch, stretchParameters } from '../colors/contrast.ts';
import type { Answer, Drawn } from '../kit/answers.ts';
import { answerDrawn, toCacheHeaders } from '../kit/answers.ts';
import type { ApiRequest } from '../kit/api-request.ts';
import type { Endpoint } from '../kit/endpoint.ts';
import { EXAMPLE_SCENE, pixelFailures, sensorParameter } from '../kit/endpoint.ts';
import { json } from '../kit/json-schema.ts';
import { belowRenderRoot, decodeSegments, parseSceneVerbPath } from '../kit/paths.ts';
import { nameScene } from '../kit/scene-notes.ts';
import type { AnswerPictureDeps } from './picture.ts';
import { pictureAnswers } from './picture.ts';
import { parsePictureQuery } from './query.ts';
import type { ThumbnailLinks } from './thumbnail-links.ts';
import { parseSignedThumbnail } from './thumbnail-links.ts';

/** Longer side of a thumbnail (docs/use/interface.md, Previews and thumbnails). */
const THUMBNAIL_SIDE_PX = 256;

/** Room for some hundred thumbnails: the same hits are listed repeatedly, and each thumbnail reads three bands. */
const CACHED_BYTES = 32 * 2 ** 20;

/** Recent thumbnails, by ETag. */
type ThumbnailCache = Lru<Drawn>;

/** Builds it. */
export const makeThumbnailCache = (): ThumbnailCache => makeLru<Drawn>({ max: CACHED_BYTES });

/** What a thumbnail is drawn with. */
interface ThumbnailDeps extends Omit<AnswerPictureDeps, 'scenes'> {
  readonly thumbnailCache: ThumbnailCache;
}

/** Which thumbnail to draw, how it looks, and how clients may cache it. */
interface WantedThumbnail {
  readonly stretch: StretchOptions;
  /** Whether a scene without natural ranges is shown with its own contrast instead of refused. */
  readonly isLenient?: boolean;
  readonly scene: Scene;
  readonly path: SceneName;
  readonly cacheHeaders: Readonly<Record<string, string>>;
  readonly startedAt: number;
}

/** Answers with the whole scene in its default composition. */
async function answerThumbnail(
  request: ApiRequest,
  { scene, path, stretch, isLenient = false, cacheHeaders, startedAt }: WantedThumbnail,
  { renderer, metrics, thumbnailCache }: ThumbnailDeps,
): Promise<Answer> {
  const bands = chooseComposition(path.sensor, (name) => Object.hasOwn(scene.assets, name));
  if (bands === null) throw notFound('nothing-to-show', 'This scene has no band that could be shown.');
  const wanted = {
    ...path,
    bands: bands.join(),
    grid: toWholeGrid(scene.footprint, THUMBNAIL_SIDE_PX),
    options: { ...options, ...stretch },
  };
  const planned = await renderer.plan(wanted).catch((error: unknown) => {
    if (!isLenient || !isSwathError(error) || error.code !== 'no-natural-range') throw error;
    return renderer.plan({ ...wanted, options });
  });
  return answerDrawn(request, {
    etag: planned.etag,
    cacheHeaders,
    startedAt,
    observe: metrics.observeRender,
    async draw() {
      const cached = thumbnailCache.get(planned.etag);
      if (cached !== undefined) return cached;
      const { bytes, stagesMs, etag } = await renderer.render(planned, request.ticket);
      // Its bytes are sent several times: no answer may free them.
      const drawn = { bytes, mediaType: 'image/png', etag };
      thumbnailCache.set(etag, { ...drawn, stagesMs: {} }, bytes.length);
      return { ...drawn, stagesMs };
    },
  });
}

/** A picture as it is without any query, but always a PNG. */
const options: RenderOptions = {
  ...parsePictureQuery(new Map()).options,
  format: 'png',
  color: {},
  area: null,
  watermark: null,
};

type ThumbDeps = ThumbnailDeps & { readonly scenes: SceneStore };

/** `GET /api/render/{sensor}/thumb/{scene_id}`, with or without `.png` (clients build such addresses themselves). */
export const thumb = (deps: ThumbDeps): Endpoint => ({
  summary: 'A thumbnail of a scene',
  description: `The whole scene in its default composition, a PNG of ${THUMBNAIL_SIDE_PX} pixels on the longer side.`,
  tag: 'Render',
  params: {
    sensor: sensorParameter,
    scene_id: {
      description: 'The view id without its sensor; `.png` may follow.',
      schema: json.string(),
      example: `${EXAMPLE_SCENE.sceneId}.png`,
    },
  },
  query: stretchParameters,
  answers: pictureAnswers,
  handle: (request) => answerThumb(request, deps),
});

async function answerThumb(request: ApiRequest, deps: ThumbDeps): Promise<Answer> {
  const startedAt = performance.now();
  const rawPath = request.rawPath.replace(/\/$/, '').replace(/\.png$/i, '');
  const { rest, ...named } = parseSceneVerbPath(rawPath);
  if (rest.length > 0) throw badInput('bad-path', 'The address of a thumbnail ends in {scene_id}.');
  const path = await chooseLevel(deps.scenes, named);
  const scene = await findScene(deps.scenes, path);
  const cacheHeaders = toCacheHeaders(deps.maxAgeS);
  const stretch = parseStretch(request.query);
  const response = await answerThumbnail(request, { scene, path, stretch, cacheHeaders, startedAt }, deps);
  return nameScene(response, path);
}

/** What signed thumbnails are served with. */
export interface SignedThumbnailDeps extends ThumbnailDeps {
  readonly scenes: Pick<SceneStore, 'findByViewId'>;
  /** The secret is read, or made, when it is first needed: a store that can only be read serves all else. */
  readonly readThumbnailLinks: () => Promise<ThumbnailLinks>;
}

/** `GET /api/render/thumbnails/{signature}/{view_id}.png`: the thumbnail of a hit, without a key. */
export const signedThumbnail = (deps: SignedThumbnailDeps): Endpoint => ({
  summary: 'The thumbnail of a hit, without a key',
  description:
    'The address is that of `thumbnail` in a hit: it works without a key, also in pages of other origins, and does not expire. Requests per client address are limited.',
  tag: 'Render',
  params: {
    signature: { description: 'As the hit has it.', schema: json.string() },
    view_id: { description: 'The view id; `.png` follows.', schema: json.string() },
  },
  answers: {
    200: { description: 'The whole scene, 256 pixels on the longer side.', content: { 'image/png': null } },
    304: { description: 'The picture you have (If-None-Match) is still current.' },
    404: { description: 'The address is not one of this service, or the scene is no longer in the catalog.' },
    429: {
      description: 'Too many requests from this address; retry after the number of seconds in Retry-After.',
    },
    ...pixelFailures,
  },
  handle: (request) => answerSigned(request, deps),
});

async function answerSigned(request: ApiRequest, deps: SignedThumbnailDeps): Promise<Answer> {
  const startedAt = performance.now();
  const signed = parseSignedThumbnail(decodeSegments(belowRenderRoot(request.rawPath)).join('/'));
  if (signed === null) throw unknownThumbnail();
  const { signature, viewId } = signed;
  const links = await deps.readThumbnailLinks();
  // The signature is checked first, so that an answer does not reveal which scenes exist.
  if (!links.isValid(viewId, signature)) throw unknownThumbnail();
  const scene = await deps.scenes.findByViewId(viewId);
  const sensor = sensorByDataset(scene?.dataset ?? '');
  if (scene === null || sensor === null) throw unknownThumbnail();
  const path = { sensor, viewId, sceneName: viewId.slice(viewId.indexOf('/') + 1) };
  // Proxies may cache it too: the address is the permission.
  const cacheHeaders = { 'cache-control': `public, max-age=${deps.maxAgeS}` };
  // Natural colour, because hits of many dates are shown side by side.
  const stretch = { isNatural: true };
  const wanted = { scene, path, stretch, isLenient: true, cacheHeaders, startedAt };
  return answerThumbnail(request, wanted, deps);
}

const unknownThumbnail = () =>
  notFound('unknown-thumbnail', 'There is no such thumbnail; addresses of thumbnails come from a search.');
