import type { StoredFile } from '../../formats/block-file/index.ts';
import type { TiffImage } from '../../formats/tiff/index.ts';
import type { PixelWindow } from '../../raster/index.ts';
import { bytesPerSample } from '../../raster/index.ts';
import type { ChosenBand } from './choose-bands.ts';

/** Our encoder and that of the file may differ by this much. */
const ENCODER_SHARE = 1.25;

/** Stored bytes of the blocks of a band under a window; a block of several bands counts in equal parts. */
function countStored(image: TiffImage, band: number, { x, y, width, height }: PixelWindow): number {
  const { blockWidth, blockHeight, blocksAcross, blocksDown, blockSizes, interleave, bandCount } = image;
  const first = interleave === 'band' ? band * blocksAcross * blocksDown : 0;
  let [bytes, pixels] = [0, 0];
  for (let row = Math.floor(y / blockHeight); row * blockHeight < y + height; row++) {
    for (let column = Math.floor(x / blockWidth); column * blockWidth < x + width; column++) {
      bytes += blockSizes[first + row * blocksAcross + column]!;
      pixels += blockWidth * blockHeight;
    }
  }
  // blocks at the edges of the window count by the part that is wanted
  const share = (width * height) / pixels;
  return (bytes * Math.min(1, share)) / (interleave === 'band' ? 1 : bandCount);
}

/** What bands of this window take when they are compressed, roughly: as in their files, or less than plain pixels. */
export function estimateStoredBytes(
  bands: readonly ChosenBand[],
  files: readonly StoredFile[],
  window: PixelWindow,
): number {
  return bands.reduce((sum, { asset }, i) => {
    const plain = window.width * window.height * bytesPerSample[asset.type];
    const file = files[i]!;
    if (file.format === 'jp2') return sum + plain;
    return sum + Math.min(plain, ENCODER_SHARE * countStored(file.levels[0]!.image, asset.bandIndex, window));
  }, 0);
}
