import { encodeJpeg } from '../../../src/formats/jpeg.ts';
import { loadKernels } from '../../../src/raster/index.ts';
import type { BandGroup } from './band-groups.ts';
import { toBrightness } from './band-groups.ts';

/** The provider's previews have 343 pixels a side: those of a tile at 320 m. */
const MAX_SIDE_PX = 343;

/** A small true-colour picture of a product in the making. */
export interface Preview {
  /** Rows of stored numbers of the three bands, from the top. */
  addRows(bands: readonly Uint16Array[], rowCount: number): void;
  /** A JPEG; what was not measured is black. */
  encode(): Uint8Array;
}

/** Starts the preview of a group that has the three bands. */
export function makePreview({ width, height }: BandGroup, added: number): Preview {
  const step = Math.ceil(Math.max(width, height) / MAX_SIDE_PX);
  const [smallWidth, smallHeight] = [Math.ceil(width / step), Math.ceil(height / step)];
  const rgba = new Uint8Array(smallWidth * smallHeight * 4);
  let rows = 0;
  return {
    addRows(bands, rowCount) {
      for (let row = 0; row < rowCount; row++, rows++) {
        if (rows % step !== 0) continue;
        for (let column = 0; column < smallWidth; column++) {
          const to = ((rows / step) * smallWidth + column) * 4;
          bands.forEach((stored, band) => {
            rgba[to + band] = toBrightness(stored[row * width + column * step]!, added);
          });
          rgba[to + 3] = 255;
        }
      }
    },
    encode() {
      const kernels = loadKernels();
      const allocate = kernels.begin();
      const rgbaAt = allocate(rgba.length);
      new Uint8Array(kernels.buffer()).set(rgba, rgbaAt);
      return encodeJpeg(kernels, allocate, { rgbaAt, width: smallWidth, height: smallHeight });
    },
  };
}
