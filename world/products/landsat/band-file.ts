import { join } from 'node:path';
import type { CogWriter } from '../../../src/formats/cog/index.ts';
import { createCog } from '../../../src/formats/cog/index.ts';
import { epsg } from '../../setting/frame.ts';
import type { LandsatGrid } from './grid.ts';
import { toTransform } from './grid.ts';

/** What a file of the product holds. */
export interface BandFile {
  /** Ends the file's name: `B4`, `QA_PIXEL`. */
  readonly name: string;
  readonly type: 'uint8' | 'uint16';
  /** The number of pixels that were not seen; null when it means something else too. */
  readonly nodata: number | null;
  readonly kind: 'measure' | 'bits';
}

/** Starts one file of a product, laid out as the provider's: blocks of 256, deflated, with smaller copies inside. */
export const createBandFile = (
  {
    folder,
    productId,
    grid,
  }: { readonly folder: string; readonly productId: string; readonly grid: LandsatGrid },
  { name, type, nodata, kind }: BandFile,
): Promise<CogWriter> =>
  createCog(join(folder, `${productId}_${name}.TIF`), {
    width: grid.width,
    height: grid.height,
    bandCount: 1,
    type,
    epsg,
    transform: toTransform(grid),
    nodata,
    compression: 'steady-deflate',
    isDurable: false,
    predictor: kind === 'measure' ? 2 : 1,
    blockSize: 256,
    overviewMethod: kind === 'measure' ? 'average' : 'nearest',
  });
