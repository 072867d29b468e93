import { toOpenedState } from '../../blocks/index.ts';
import type { DemFile } from '../dems/dem.ts';
import type { MosaicPiece } from './heights-plan.ts';

/** A window of a file, with all that reading it needs. */
export function toMosaicPiece(file: DemFile, { read, at }: Pick<MosaicPiece, 'read' | 'at'>): MosaicPiece {
  const { id, dem, format, href, bandIndex, nodata, scale, offset, pyramid } = file;
  return {
    id,
    band: dem,
    format,
    href,
    bandIndex,
    nodata,
    scale,
    offset,
    ...(pyramid === undefined ? {} : { pyramid }),
    ...toOpenedState(file),
    read,
    at,
  };
}
