import type { BlockFile } from '../../formats/block-file/index.ts';
import { toBandPixels } from '../../formats/tiff/index.ts';
import type { Affine, Size } from '../../geo/index.ts';
import { applyAffine } from '../../geo/index.ts';
import type { Position } from '../../proj/index.ts';

/** The part of an image's rectangle that holds data. */
export interface MeasuredArea {
  /** Outline in the reference system of the image; null if there is no data, or it is not a tilted frame. */
  readonly outline: readonly Position[] | null;
  readonly coveragePercent: number;
}

interface Options {
  readonly bandIndex: number;
  readonly nodata: number;
  readonly transform: Affine;
  readonly signal?: AbortSignal | undefined;
}

/** The smallest overview with this side is read: half a kilometre per pixel of a Landsat scene. */
const GOOD_SIDE_PX = 512;
/** A larger image without overviews is not read. */
const MAX_PIXELS = 4_000_000;
/** A frame is convex: if less of the hull holds data, it is not a frame, and the hull would be too large. */
const MIN_HULL_SHARE = 0.7;

/**
 * Finds the tilted frame that the orbit leaves in the rectangle of an image, in an overview. Null if there is none small
 * enough.
 */
export async function readMeasuredArea(file: BlockFile, options: Options): Promise<MeasuredArea | null> {
  const level = file.levels.findLastIndex(({ width, height }) => Math.max(width, height) >= GOOD_SIDE_PX);
  const at = Math.max(0, level);
  const image = file.levels[at]!;
  if (image.width * image.height > MAX_PIXELS) return null;
  const rows = await readSpans(file, at, options);
  const corners = rows.flatMap(({ first, last }, row): Position[] =>
    last < first
      ? []
      : [
          [first, row],
          [first, row + 1],
          [last + 1, row],
          [last + 1, row + 1],
        ],
  );
  const hull = toHull(corners);
  const measured = rows.reduce((sum, { count }) => sum + count, 0);
  const isFrame = hull.length >= 3 && measured >= MIN_HULL_SHARE * areaOf(hull);
  return {
    coveragePercent: Math.round((measured / (image.width * image.height)) * 10_000) / 100,
    outline: isFrame ? hull.map((corner) => toWorld(corner, file.levels[0], { image, ...options })) : null,
  };
}

const toWorld = (
  [column, row]: Position,
  full: Size,
  { image, transform }: { readonly image: Size; readonly transform: Affine },
): Position =>
  applyAffine(transform, (column * full.width) / image.width, (row * full.height) / image.height);

/** Pixels with data in a row: the first, the last and how many. */
interface Span {
  first: number;
  last: number;
  count: number;
}

async function readSpans(file: BlockFile, level: number, options: Options): Promise<readonly Span[]> {
  const { width, height, blockWidth, blockHeight, blocksAcross, blocksDown } = file.levels[level]!;
  const spans = Array.from({ length: height }, (): Span => ({ first: width, last: -1, count: 0 }));
  for (let row = 0; row < blocksDown; row++) {
    for (let column = 0; column < blocksAcross; column++) {
      const position = { band: options.bandIndex, column, row };
      const block = await file.readBlock(level, position, options.signal);
      const pixels = toBandPixels(block, options.bandIndex);
      const columns = Math.min(block.width, width - column * blockWidth);
      for (let y = 0; y < Math.min(block.height, height - row * blockHeight); y++) {
        const span = spans[row * blockHeight + y]!;
        for (let x = 0; x < columns; x++) {
          if (pixels[y * block.width + x] === options.nodata) continue;
          const at = column * blockWidth + x;
          span.count++;
          if (at < span.first) span.first = at;
          if (at > span.last) span.last = at;
        }
      }
    }
  }
  return spans;
}

/** The convex hull (Andrew's monotone chain), without points on its edges. */
function toHull(points: readonly Position[]): Position[] {
  const sorted = points.toSorted((a, b) => a[0] - b[0] || a[1] - b[1]);
  const half = (ordered: readonly Position[]): Position[] => {
    const chain: Position[] = [];
    for (const point of ordered) {
      while (chain.length >= 2 && turn(chain.at(-2)!, chain.at(-1)!, point) <= 0) chain.pop();
      chain.push(point);
    }
    return chain.slice(0, -1);
  };
  return [...half(sorted), ...half(sorted.toReversed())];
}

const turn = (a: Position, b: Position, c: Position): number =>
  (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);

function areaOf(ring: readonly Position[]): number {
  const twice = ring.reduce((sum, [x, y], i) => {
    const [nextX, nextY] = ring[(i + 1) % ring.length]!;
    return sum + x * nextY - nextX * y;
  }, 0);
  return Math.abs(twice) / 2;
}
