import { makeLru } from '../../lru.ts';
import type { DiskCache } from '../../storage/index.ts';
import type { RenderPlan } from '../plan/render-plan.ts';
import type { Picture } from './draw-job.ts';
import type { PlannedPicture } from './planned-picture.ts';

/** Figures of the finished pictures that are kept. */
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
  /** Offers a complete picture, what failed never gets here; true when it is kept. */
  keep(planned: PlannedPicture, picture: Picture): boolean;
  stats(): PictureCacheStats;
}

/** The pictures on a screen or two of everybody who looks at the same place: some thousand of 20 kB. */
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
 * it. A picture's name is its ETag, which stands for everything that decides its pixels, so nothing ever goes stale.
 */
export function makePictureCache(disk: DiskCache | null): PictureCache {
  type Kept = Pick<Picture, 'bytes' | 'format'>;
  const empty = makeLru<Kept>({ max: EMPTY_BYTES });
  const memory = makeLru<Kept>({ max: MEMORY_BYTES });
  let hits = 0;

  const findKept = async ({ plan, etag }: PlannedPicture): Promise<Kept | null> => {
    if (isEmptyPlan(plan)) return empty.get(toEmptyKey(plan)) ?? null;
    if (disk === null) return null;
    const known = memory.get(etag);
    if (known !== undefined) {
      hits += 1;
      return known;
    }
    const entry = await disk.get(etag);
    if (entry === null || !isFormat(entry.meta)) return null;
    const kept = { bytes: entry.bytes, format: entry.meta };
    memory.set(etag, kept, kept.bytes.length);
    return kept;
  };

  return {
    async find(planned) {
      const startedAt = performance.now();
      const kept = await findKept(planned);
      return kept && { ...kept, stagesMs: { cache: performance.now() - startedAt } };
    },
    keep({ plan, etag }, { bytes, format }) {
      const kept = { bytes, format };
      if (isEmptyPlan(plan)) {
        empty.set(toEmptyKey(plan), kept, bytes.length);
        return true;
      }
      if (disk === null) return false;
      memory.set(etag, kept, bytes.length);
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
