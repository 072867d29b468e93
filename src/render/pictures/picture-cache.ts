import type { ResultCache } from '../../files/index.ts';
import { makeLru } from '../../lru.ts';
import type { RenderPlan } from '../plan/render-plan.ts';
import type { Picture } from './draw-job.ts';
import type { PlannedPicture } from './planned-picture.ts';

/** Finished pictures, so that equal ones need not be drawn again. */
export interface PictureCache {
  find(planned: PlannedPicture): Promise<Picture | null>;
  /** Offers a complete picture, never a failed one; true if it is cached. */
  store(planned: PlannedPicture, picture: Picture): boolean;
}

/** A few sizes in each format; of 256 × 256 pixels they take some hundred bytes. */
const EMPTY_BYTES = 2 ** 20;

/** True when an input has nothing to show on the grid: then nothing of the others is drawn either. */
export const isEmptyPlan = ({ inputs }: RenderPlan): boolean => inputs.some(({ warp }) => warp === null);

/** All that a picture without any pixel to show depends on. */
const toEmptyKey = ({ grid: { width, height }, format, watermark }: RenderPlan): string =>
  `${width} ${height} ${format} ${watermark === null ? '' : `marked ${watermark}`}`;

/**
 * Builds the cache of pictures on that of all results: those that show nothing are always in memory. A picture's name
 * is its ETag, which covers everything that decides its pixels.
 */
export function makePictureCache(results: ResultCache): PictureCache {
  type Cached = Pick<Picture, 'bytes' | 'format'>;
  const empty = makeLru<Cached>({ max: EMPTY_BYTES });

  const findCached = async ({ plan, etag }: PlannedPicture): Promise<Cached | null> => {
    if (isEmptyPlan(plan)) return empty.get(toEmptyKey(plan)) ?? null;
    const entry = await results.find(etag);
    return entry === null || !isFormat(entry.meta) ? null : { bytes: entry.bytes, format: entry.meta };
  };

  return {
    async find(planned) {
      const startedAt = performance.now();
      const cached = await findCached(planned);
      return cached && { ...cached, stagesMs: { cache: performance.now() - startedAt } };
    },
    store({ plan, etag }, { bytes, format }) {
      if (!isEmptyPlan(plan)) return results.store(etag, { bytes, meta: format });
      empty.set(toEmptyKey(plan), { bytes, format }, bytes.length);
      return true;
    },
  };
}

const isFormat = (text: string): text is Picture['format'] => ['jpeg', 'png', 'webp'].includes(text);
