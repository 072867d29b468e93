import type { CogOptions } from '../../formats/index.ts';
import type { Affine } from '../../geo/index.ts';
import type { Asset } from '../scene.ts';
import type { CellWindow } from './frame.ts';
import { crop, epsg } from './frame.ts';
import { nodataDn, quantification, radiometricOffset } from './imaging.ts';

type PlacedCog = CogOptions & { readonly transform: Affine };

/** Size and codec of one band's file. */
interface BandFile {
  readonly name: string;
  readonly cog: PlacedCog;
}

const scale = 1 / quantification;
const offset = -radiometricOffset / quantification;

/** Plans the file of a band over a window of the crop. */
export function planBandFile(
  band: { readonly name: string; readonly resolutionM: number },
  window: CellWindow,
): BandFile {
  const { name, resolutionM } = band;
  return {
    name: `${name}.tif`,
    cog: {
      width: (window.cols * 60) / resolutionM,
      height: (window.rows * 60) / resolutionM,
      bandCount: 1,
      type: 'uint16',
      epsg,
      transform: [
        ...([crop.west + window.col * 60, resolutionM, 0] as const),
        ...([crop.north - window.row * 60, 0, -resolutionM] as const),
      ],
      nodata: nodataDn,
      // Against deflate 6 on this scene: 37.8 instead of 38.3 MB, written in a third of the time.
      compression: 'zstd',
      level: 3,
      predictor: 2,
      blockSize: 512,
      overviews: 'auto',
      overviewMethod: 'average',
      bands: [{ description: name, scale, offset }],
    },
  };
}

/** How the catalog describes a finished file. */
export function toAsset(href: string, cog: PlacedCog, overviews: Asset['overviews']): Asset {
  const { transform, width, height, type, nodata } = cog;
  return { href, bandIndex: 0, epsg, transform, width, height, type, nodata, scale, offset, overviews };
}
