import { badInput } from '../../errors.ts';
import type { PixelType } from '../../raster/index.ts';
import { writableCodecs } from '../tiff/codecs/codecs.ts';
import type { BandInfo } from '../tiff/samples/gdal-metadata.ts';
import { PLAIN_BAND } from '../tiff/samples/gdal-metadata.ts';
import { toStoredNodata } from '../tiff/samples/nodata.ts';
import { checkCost, checkOptions } from './cog-checks.ts';
import type { CogLevel, CogOptions, CogPlan, FullOptions } from './cog-options.ts';

function planNodata(nodata: number | null, type: PixelType): number | null {
  const stored = nodata === null ? null : toStoredNodata(nodata, type);
  if (nodata !== null && stored === null) {
    throw badInput('bad-nodata', `No ${type} pixel can have the nodata value ${nodata}.`);
  }
  return stored;
}

/** XML has no way to write most control characters, and a NUL would end the tag. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\u0000-\u0008\u000b-\u001f\ufffe\uffff]/;

function planBands(bandCount: number, bands: readonly Partial<BandInfo>[] | undefined): BandInfo[] {
  if (bands === undefined) return Array.from({ length: bandCount }, () => PLAIN_BAND);
  if (bands.length !== bandCount) {
    throw badInput('bad-bands', `There are ${bands.length} band descriptions for ${bandCount} bands.`);
  }
  return bands.map((given) => {
    const band = { ...PLAIN_BAND, ...given };
    if (!Number.isFinite(band.scale) || !Number.isFinite(band.offset)) {
      throw badInput('bad-bands', 'Scale and offset of a band are finite numbers.');
    }
    const texts = [band.description ?? '', band.unit ?? ''];
    if (texts.some((text) => text.length > 1_000 || CONTROL.test(text) || !text.isWellFormed())) {
      throw badInput(
        'bad-bands',
        'The description and the unit of a band have at most 1,000 characters and no control characters.',
      );
    }
    return band;
  });
}

/** Halves both sides, rounding up as `gdaladdo` does, until the smallest copy is one block. */
function planLevels(
  width: number,
  height: number,
  blockSize: number,
  overviews: 'auto' | 'none',
): CogLevel[] {
  const levels: CogLevel[] = [];
  for (let w = width, h = height; ; w = Math.ceil(w / 2), h = Math.ceil(h / 2)) {
    levels.push({
      width: w,
      height: h,
      blocksAcross: Math.ceil(w / blockSize),
      blocksDown: Math.ceil(h / blockSize),
    });
    if (overviews === 'none' || (w <= blockSize && h <= blockSize)) return levels;
  }
}

/** Checks every option and every size before anything is allocated, and fills in what was left open. */
export function planCog(options: CogOptions): CogPlan {
  const { bands, overviews = 'auto', ...given } = options;
  const core: FullOptions = {
    blockSize: 512,
    interleave: 'pixel',
    overviewMethod: 'average',
    bigTiff: 'auto',
    photometric: 'gray',
    alpha: false,
    controlPoints: [],
    sinusoidalRadiusM: null,
    geoKeys: null,
    isDurable: true,
    padding: 'row',
    level: writableCodecs[options.compression].levels.default,
    ...given,
    nodata: planNodata(options.nodata, options.type),
  };
  checkOptions(core);
  // with one band both ways are the same bytes, and the simpler tags say so
  const interleave = core.bandCount === 1 ? 'pixel' : core.interleave;
  const plan: CogPlan = {
    ...core,
    interleave,
    bands: planBands(core.bandCount, bands),
    levels: planLevels(core.width, core.height, core.blockSize, overviews),
    planes: interleave === 'band' ? core.bandCount : 1,
    samplesPerBlock: interleave === 'band' ? 1 : core.bandCount,
    compressionTag: writableCodecs[core.compression].tags[0],
  };
  checkCost(plan);
  return plan;
}
