import { makeBandDeveloper } from './band-rows.ts';
import { cloudyFrom } from './clouds.ts';
import type { CellWindow } from './frame.ts';
import { isMeasured } from './frame.ts';
import { makeNormalNoise, toTopOfAtmosphere } from './imaging.ts';
import type { Landscape } from './land-cover.ts';
import { makeSurface } from './land-cover.ts';
import { bandCount, bands } from './spectra.ts';

/** The instrument: it goes over a window from north to south. */
export interface Scanner {
  /** The next rows of cells as stored values by band, each band in its own resolution. */
  scan(): readonly Uint16Array[];
  /** Pixels of 10 m that were measured so far, and those of them that show cloud. */
  readonly counts: { readonly measured: number; readonly cloudy: number };
}

/** Distance between samples of the ground. */
const stepM = 10;
const samplesPerCell = 6;

/**
 * Makes a scanner that takes `rows` rows of 60 m cells at each call, fewer at the end. The ground is sampled every
 * 10 m; bands of 20 and 60 m average their share of the samples, so that all bands show the same ground.
 */
export function makeScanner(landscape: Landscape, window: CellWindow, rows: number): Scanner {
  const width = window.cols * samplesPerCell;
  // One sample more on each side, for light that spills over from there.
  const stride = width + 2;
  const plane = stride * (rows * samplesPerCell + 2);
  const samples = new Float32Array(plane * bandCount);
  const noise = makeNormalNoise();
  const developers = bands.map((_, band) => makeBandDeveloper(band, window, noise));
  const surface = makeSurface();
  const light = new Float64Array(bandCount);
  const counts = { measured: 0, cloudy: 0 };
  let nextRow = 0;

  /** Samples a line of ground, counted from the window's northern edge, into a line of the buffer. */
  const sampleLine = (line: number, bufferLine: number): void => {
    const y = window.row * 60 + (line + 0.5) * stepM;
    const isInside = line >= 0 && line < window.rows * samplesPerCell;
    for (let i = 0; i < stride; i++) {
      const x = window.col * 60 + (i - 0.5) * stepM;
      landscape.sample(x, y, surface);
      toTopOfAtmosphere(surface, light);
      const at = bufferLine * stride + i;
      for (let band = 0; band < bandCount; band++) samples[band * plane + at] = light[band]!;
      if (!isInside || i === 0 || i > width || !isMeasured(x, y)) continue;
      counts.measured++;
      if (surface.cloud.opacity >= cloudyFrom) counts.cloudy++;
    }
  };

  return {
    counts,
    scan() {
      const height = Math.min(rows, window.rows - nextRow) * samplesPerCell;
      const firstLine = nextRow * samplesPerCell - 1;
      // All strips but the last have the same height, so the last two lines of one are the first two of the next.
      const known = nextRow === 0 ? 0 : 2;
      for (let band = 0; band < bandCount && known > 0; band++) {
        samples.copyWithin(band * plane, (band + 1) * plane - known * stride, (band + 1) * plane);
      }
      for (let line = known; line < height + 2; line++) sampleLine(firstLine + line, line);
      const strip = developers.map((develop, band) =>
        develop({ values: samples.subarray(band * plane, (band + 1) * plane), stride, height }, nextRow),
      );
      nextRow += rows;
      return strip;
    },
  };
}
