import { sourceBroken } from '../../errors.ts';
import { maskOf, readBlockMask } from '../tiff/blocks/block-mask.ts';
import { readBlock, readRows, toBlockBuffer, toBlockNumber } from '../tiff/blocks/block-reader.ts';
import { listStoredRanges } from '../tiff/blocks/stored-ranges.ts';
import type { TiffLevel } from '../tiff/sidecars/external-overviews.ts';
import type { BlockFile } from './block-file.ts';

/** A TIFF as a file of blocks, each of its levels with the file that it is read from. */
export function toTiffBlockFile(levels: readonly TiffLevel[]): BlockFile {
  const levelAt = (level: number): TiffLevel => {
    const found = levels[level];
    if (found === undefined) throw sourceBroken('no-level', `The image has no level ${level}.`);
    return found;
  };
  const main = levelAt(0);
  const { source, epsg, proj, transform, gcps, nodata, bands, verticalUnit } = main.tiff;
  return {
    format: 'tiff',
    source,
    epsg,
    proj,
    transform,
    gcps,
    nodata,
    bands,
    verticalUnit,
    levels: [main.image, ...levels.slice(1).map(({ image }) => image)],
    async readBlock(level, position, stop) {
      const { tiff, image } = levelAt(level);
      return readBlock(tiff, image, position, stop);
    },
    async readRows(level, position, options) {
      const { tiff, image } = levelAt(level);
      return readRows(tiff, image, position, options);
    },
    async readMask(level, position, block, stop) {
      const { tiff, image } = levelAt(level);
      // In GDAL's order a nodata value comes before alpha, and each band has its own: the caller that reads a band looks for it.
      const hasAlpha = image.alphaBand !== null && tiff.nodata === null;
      if (maskOf(tiff, image) === null && !hasAlpha) return null;
      return readBlockMask(tiff, image, position, { block, ...(stop ? { signal: stop } : {}) });
    },
    blockBuffer: (level, position) => toBlockBuffer(levelAt(level).image, position),
    storedRanges(level, position) {
      const { tiff, image } = levelAt(level);
      return listStoredRanges(tiff, image, position).map((range) => ({ ...range, source: tiff.source }));
    },
    blockNumber: (level, position) => toBlockNumber(levelAt(level).image, position),
  };
}
