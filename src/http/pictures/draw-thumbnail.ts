import type { Scene, SceneName } from '../../catalog/index.ts';
import { isSwathError, notFound } from '../../errors.ts';
import type { Lru } from '../../lru.ts';
import { makeLru } from '../../lru.ts';
import type { RenderOptions } from '../../render/index.ts';
import { toWholeGrid } from '../../render/index.ts';
import { chooseComposition } from '../../sensors/index.ts';
import type { Drawn } from '../answer/drawn-answer.ts';
import { answerDrawn } from '../answer/drawn-answer.ts';
import type { StretchOptions } from '../colors/stretch-query.ts';
import type { ApiRequest } from '../request/api-request.ts';
import type { AnswerPictureDeps } from './answer.ts';
import { parsePictureQuery } from './query.ts';

/** Longer side of a thumbnail (docs/interface.md, Previews and thumbnails). */
export const THUMBNAIL_SIDE_PX = 256;

/** Some hundred thumbnails: lists of hits are asked for again and again, and each thumbnail reads three bands. */
const CACHED_BYTES = 32 * 2 ** 20;

/** Thumbnails that were drawn lately, by ETag. */
export type ThumbnailCache = Lru<Drawn>;

/** Builds it. */
export const makeThumbnailCache = (): ThumbnailCache => makeLru<Drawn>({ max: CACHED_BYTES });

/** What a thumbnail is drawn with. */
export interface ThumbnailDeps extends Omit<AnswerPictureDeps, 'scenes'> {
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
export async function answerThumbnail(
  request: ApiRequest,
  { scene, path, stretch, isLenient = false, cacheHeaders, startedAt }: WantedThumbnail,
  { renderer, metrics, thumbnailCache }: ThumbnailDeps,
): Promise<Response> {
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
