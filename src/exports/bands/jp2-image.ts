import { workInOrder } from '../../async/index.ts';
import type { EncodedTile, Jp2Encoder, Jp2Options, WrittenImage } from '../../formats/jp2/index.ts';
import { encodeJp2Tile, planDecompositions, writeJp2 } from '../../formats/jp2/index.ts';
import type { JobContext, JobRunner, JobType } from '../../pool/index.ts';
import { runPatiently } from '../../pool/index.ts';
import type { PixelWindow } from '../../raster/index.ts';
import { makePixels } from '../../raster/index.ts';
import type { PlannedImage } from './planned-image.ts';
import type { ReadPixels, StoredPixels } from './read-pixels.ts';

/** A tile of a JP2 file of one band. */
export interface Jp2TileJob {
  readonly image: WrittenImage;
  readonly tile: PixelWindow;
  readonly pixels: StoredPixels;
}

/** The job that encodes such a tile. */
export type Jp2TileJobs = { 'export-jp2': JobType<Jp2TileJob, EncodedTile> };

/** Builds the handler of that job. */
export const makeEncodeTile =
  (readPixels: ReadPixels, encoder: Jp2Encoder) =>
  async (
    { image, tile, pixels }: Jp2TileJob,
    { signal }: Pick<JobContext, 'signal'>,
  ): Promise<EncodedTile> => {
    const out = makePixels(pixels.type, tile.width * tile.height);
    await readPixels(pixels, 0, { window: tile, out, signal });
    return encodeJp2Tile(new Uint8Array(out.buffer), tile, image, encoder);
  };

/** Sides of tiles in the order of preference: the first is that of the provider of Sentinel-2. */
const TILE_SIDES = [1024, 512, 2048, 256];

/** All tiles of an image are halved equally often: the side that leaves no narrow tile at the edge is best. */
function chooseTileSize(image: Omit<WrittenImage, 'tileSize'>): number {
  const depths = TILE_SIDES.map((tileSize) => planDecompositions({ ...image, tileSize }));
  return TILE_SIDES[depths.indexOf(Math.max(...depths))]!;
}

function* listTiles({ width, height, tileSize }: WrittenImage): Generator<PixelWindow> {
  for (let y = 0; y < height; y += tileSize) {
    for (let x = 0; x < width; x += tileSize) {
      yield { x, y, width: Math.min(tileSize, width - x), height: Math.min(tileSize, height - y) };
    }
  }
}

/** Jobs under way: as many as threads take, and one whose tile is written. */
const AT_ONCE = 4;
/** Of the encoder for each pixel: samples of 32 bits, wavelets, and what is encoded. */
const ENCODER_BYTES_PER_PX = 24;

/** A lossless JP2 file of one band; `bitsPerSample` is 8 or 16, by the type of its pixels. */
export function toJp2Image(
  options: Omit<Jp2Options, 'tileSize' | 'bandCount' | 'bitsPerSample'>,
  pixels: StoredPixels,
  { pool, estimatedBytes }: { readonly pool: JobRunner<Jp2TileJobs>; readonly estimatedBytes: number },
): PlannedImage {
  const samples = { bandCount: 1, bitsPerSample: pixels.type === 'uint8' ? 8 : 16 };
  const tileSize = chooseTileSize({ ...options, ...samples });
  const image: Jp2Options = { ...options, ...samples, tileSize };
  const { width, height } = options;
  return {
    extension: 'jp2',
    estimatedBytes,
    blocks: Math.ceil(width / tileSize) * Math.ceil(height / tileSize),
    content: {
      kind: 'written',
      async write(path, { ticket, onProgress }) {
        const encode = (tile: PixelWindow, signal: AbortSignal): Promise<EncodedTile> => {
          const bytes = tile.width * tile.height * ENCODER_BYTES_PER_PX;
          return runPatiently(pool, 'export-jp2', { image, tile, pixels }, { ...ticket, signal, bytes });
        };
        async function* encodeAll(): AsyncGenerator<EncodedTile> {
          let done = 0;
          const order = { atOnce: AT_ONCE, signal: ticket.signal };
          for await (const tile of workInOrder(listTiles(image), order, encode)) {
            yield tile;
            onProgress(++done);
          }
        }
        await writeJp2(path, image, encodeAll(), { signal: ticket.signal });
      },
    },
  };
}
