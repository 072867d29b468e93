import type { CellWindow } from './frame.ts';
import { isMeasured } from './frame.ts';
import { addNoise, nodataDn, noiseLength, toDigitalNumber } from './imaging.ts';
import { hash } from './noise.ts';
import { bands } from './spectra.ts';

/** Light sampled every 10 m, with one sample more on each side. */
export interface Samples {
  readonly values: Float32Array;
  readonly stride: number;
  /** Lines without the additional ones. */
  readonly height: number;
}

/** Turns samples into the stored values of one band; `cellRow` is their first row of cells, counted in the window. */
type BandDeveloper = (samples: Samples, cellRow: number) => Uint16Array;

/** Share of its light that a 10 m pixel gives to each side: with its own width an MTF of 0.28 at half the sampling rate. */
const spill = 0.14;

/** Makes the developer of a band over a window of the crop; `noise` comes from `makeNormalNoise`. */
export function makeBandDeveloper(band: number, window: CellWindow, noise: Float32Array): BandDeveloper {
  const sizeM = bands[band]!.resolutionM;
  const block = sizeM / 10;
  const width = (window.cols * 60) / sizeM;
  const firstCol = (window.col * 60) / sizeM;
  const light = new Float64Array(width);
  return (samples, cellRow) => {
    const height = samples.height / block;
    const firstRow = ((window.row + cellRow) * 60) / sizeM;
    const pixels = new Uint16Array(width * height);
    for (let row = 0; row < height; row++) {
      if (block === 1) blurRow(samples, row, light);
      else averageRow(samples, { row, block }, light);
      // Noise belongs to a pixel of the crop, so that a window of the scene equals the scene's own pixels.
      const draw = hash(firstRow + row, band, 152) + firstCol;
      const measured = countMeasured({ firstCol, width, row: firstRow + row, sizeM });
      for (let col = 0; col < measured; col++) {
        const noisy = addNoise(light[col]!, noise[(draw + col) & (noiseLength - 1)]!);
        pixels[row * width + col] = toDigitalNumber(noisy);
      }
      pixels.fill(nodataDn, row * width + measured, (row + 1) * width);
    }
    return pixels;
  };
}

/** Measured pixels of a row: all to the west of the first line of sensing. */
function countMeasured(line: { firstCol: number; width: number; row: number; sizeM: number }): number {
  const { firstCol, width, row, sizeM } = line;
  let count = width;
  while (count > 0 && !isMeasured((firstCol + count - 0.5) * sizeM, (row + 0.5) * sizeM)) count--;
  return count;
}

/** One row of samples, each with some light of its eight neighbours. */
function blurRow({ values, stride }: Samples, row: number, out: Float64Array): void {
  const own = 1 - 2 * spill;
  const below = (row + 2) * stride;
  const here = below - stride;
  const above = here - stride;
  const columnAt = (col: number): number =>
    spill * (values[above + col]! + values[below + col]!) + own * values[here + col]!;
  let left = columnAt(0);
  let middle = columnAt(1);
  for (let col = 0; col < out.length; col++) {
    const right = columnAt(col + 2);
    out[col] = spill * (left + right) + own * middle;
    left = middle;
    middle = right;
  }
}

/** One row of means of square blocks of samples. */
function averageRow(
  { values, stride }: Samples,
  { row, block }: { readonly row: number; readonly block: number },
  out: Float64Array,
): void {
  for (let col = 0; col < out.length; col++) {
    const first = (row * block + 1) * stride + col * block + 1;
    let sum = 0;
    for (let j = 0; j < block; j++) {
      for (let i = 0; i < block; i++) sum += values[first + j * stride + i]!;
    }
    out[col] = sum / (block * block);
  }
}
