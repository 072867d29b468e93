import type { CogOptions } from '../../../src/formats/cog/index.ts';
import type { PixelArray, PixelType } from '../../../src/raster/index.ts';
import { makePixels } from '../../../src/raster/index.ts';

/** One file of the writer's matrix. */
export interface WriterCase {
  readonly name: string;
  readonly options: CogOptions;
}

/** Smaller than a block, several blocks with odd sides on every level, and whole blocks with even sides. */
const shapes = [
  { shape: 'small', width: 23, height: 17, epsg: 4326, transform: [-10.5, 0.25, 0, 50.125, 0, -0.25] },
  { shape: 'odd', width: 101, height: 67, epsg: 32631, transform: [600000, 10, 0, 5100000, 0, -10] },
  { shape: 'even', width: 128, height: 96, epsg: 3857, transform: [1000, 8, 6, 2000, 6, -8] },
] as const;

/** Floats hold their nodata as NaN, integers at either end of the range or inside it. */
const types: readonly { type: PixelType; nodata: number; method: 'average' | 'nearest' }[] = [
  { type: 'uint8', nodata: 255, method: 'nearest' },
  { type: 'uint16', nodata: 0, method: 'average' },
  { type: 'int16', nodata: -9999, method: 'average' },
  { type: 'float32', nodata: Number.NaN, method: 'average' },
];

const codecs = [
  { compression: 'none', predictors: [1] },
  { compression: 'deflate', predictors: [1, 2, 3] },
  { compression: 'zstd', predictors: [1, 2, 3] },
] as const;

const layouts = [
  { bandCount: 1, interleave: 'pixel' },
  { bandCount: 3, interleave: 'pixel' },
  { bandCount: 3, interleave: 'band' },
  { bandCount: 5, interleave: 'pixel' },
  { bandCount: 5, interleave: 'band' },
] as const;

const bandFacts = (bandCount: number) =>
  Array.from({ length: bandCount }, (_, i) => ({
    description: `band ${i + 1}: <"ä"> & 'b' &amp; ]]>`,
    scale: 0.0001 * (i + 1),
    offset: -0.1 * i,
  }));

/** Every pixel type × compression × predictor × band layout × shape × classic/BigTIFF that can be written. */
export function writerCases(): WriterCase[] {
  const cases: WriterCase[] = [];
  for (const { type, nodata, method } of types) {
    for (const { compression, predictors } of codecs) {
      for (const predictor of predictors.filter((p) => p === 1 || p === (type === 'float32' ? 3 : 2))) {
        for (const { bandCount, interleave } of layouts) {
          for (const { shape, ...options } of shapes) {
            for (const bigTiff of ['no', 'yes'] as const) {
              cases.push({
                name: `${type}-${compression}-p${predictor}-${bandCount}${interleave}-${shape}-${bigTiff === 'yes' ? 'big' : 'classic'}`,
                options: {
                  type,
                  nodata,
                  compression,
                  predictor,
                  bandCount,
                  interleave,
                  bigTiff,
                  ...options,
                  overviewMethod: method,
                  blockSize: 32,
                  ...(shape === 'even' ? { bands: bandFacts(bandCount) } : {}),
                },
              });
            }
          }
        }
      }
    }
  }
  return cases;
}

/** Smooth ground with noise over the whole range of the type, and holes from single pixels to a corner. */
export function toCasePixels({ type, width, height, bandCount, nodata }: CogOptions): PixelArray[] {
  return Array.from({ length: bandCount }, (_, band) => {
    const pixels = makePixels(type, width * height);
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const rough = (x * 7919 + y * 104_729 + band * 1_299_709) % 251;
        const isHole = x + y < 12 + band || rough < 9;
        // the modulo is what makes the range whole: neighbours wrap from its end to its beginning
        const value =
          type === 'float32'
            ? Math.sin(x / 9) * 1e3 + Math.cos(y / 5) * 1e-3 + band * 17 + rough / 64
            : ((x * 300 + y * 577 + band * 9001 + rough) % 65_536) - (type === 'int16' ? 32_768 : 0);
        pixels[y * width + x] = isHole && nodata !== null ? nodata : value;
      }
    }
    return pixels;
  });
}
