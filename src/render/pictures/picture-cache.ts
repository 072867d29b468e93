import { makeLru } from '../../lru.ts';
import type { DiskCache } from '../../storage/index.ts';
import type { RenderPlan } from '../plan/render-plan.ts';
import type { Picture } from './draw-job.ts';
import type { PlannedPicture } from './planned-picture.ts';

/** Figures of the cache of finished pictures. */
export interface PictureCacheStats {
  readonly hits: number;
  readonly misses: number;
  readonly written: number;
  readonly dropped: number;
  readonly evicted: number;
  readonly usedBytes: number;
  readonly budgetBytes: number;
}

/** Finished pictures, so that equal ones need not be drawn again. */
export interface PictureCache {
  find(planned: PlannedPicture): Promise<Picture | null>;
  /** Offers a complete picture, never a failed one; true if it is cached. */
  store(planned: PlannedPicture, picture: Picture): boolean;
  stats(): PictureCacheStats;
}

/** One or two screens of everyone who looks at the same area: some thousand pictures of 20 kB. */
const MEMORY_BYTES = 32 * 2 ** 20;
/** A few sizes in each format; of 256 × 256 pixels they take some hundred bytes. */
const EMPTY_BYTES = 2 ** 20;

/** True when an input has nothing to show on the grid: then nothing of the others is drawn either. */
export const isEmptyPlan = ({ inputs }: RenderPlan): boolean => inputs.some(({ warp }) => warp === null);

/** All that a picture without any pixel to show depends on. */
const toEmptyKey = ({ grid: { width, height }, format, watermark }: RenderPlan): string =>
  `${width} ${height} ${format} ${watermark === null ? '' : `marked ${watermark}`}`;

/**
 * Builds the cache: those that show nothing always in memory, the others in memory and on disk when there is a disk for
 * it. A picture's name is its ETag, which covers everything that decides its pixels, so nothing goes stale.
 */
export function makePictureCache(disk: DiskCache | null): PictureCache {
  type Cached = Pick<Picture, 'bytes' | 'format'>;
  const empty = makeLru<Cached>({ max: EMPTY_BYTES });
  const memory = makeLru<Cached>({ max: MEMORY_BYTES });
  let hits = 0;

  const findCached = async ({ plan, etag }: PlannedPicture): Promise<Cached | null> => {
    if (isEmptyPlan(plan)) return empty.get(toEmptyKey(plan)) ?? null;
    if (disk === null) return null;
    const known = memory.get(etag);
    if (known !== undefined) {
      hits += 1;
      return known;
    }
    const entry = await disk.get(etag);
    if (entry === null || !isFormat(entry.meta)) return null;
    const cached = { bytes: entry.bytes, format: entry.meta };
    memory.set(etag, cached, cached.bytes.length);
    return cached;
  };

  return {
    async find(planned) {
      const startedAt = performance.now();
      const cached = await findCached(planned);
      return cached && { ...cached, stagesMs: { cache: performance.now() - startedAt } };
    },
    store({ plan, etag }, { bytes, format }) {
      const cached = { bytes, format };
      if (isEmptyPlan(plan)) {
        empty.set(toEmptyKey(plan), cached, bytes.length);
        return true;
      }
      if (disk === null) return false;
      memory.set(etag, cached, bytes.length);
      disk.put(etag, { bytes, meta: format });
      return true;
    },
    stats() {
      const onDisk = disk?.stats() ?? nothing;
      return { ...onDisk, hits: hits + onDisk.hits };
    },
  };
}

const nothing: PictureCacheStats = {
  hits: 0,
  misses: 0,
  written: 0,
  dropped: 0,
  evicted: 0,
  usedBytes: 0,
  budgetBytes: 0,
};

const isFormat = (text: string): text is Picture['format'] => ['jpeg', 'png', 'webp'].includes(text);
