import type { DemFile } from './dem.ts';

/** What decides the heights that are read of a file: its bytes, and what its record says that they mean. */
export type FileState = Pick<DemFile, 'id' | 'stamps' | 'bandIndex' | 'nodata' | 'scale' | 'offset'>;

/** Names the state of a file: another one when it was replaced, or ingested again with another unit, band or void. */
export const toFileState = ({ id, stamps, bandIndex, nodata, scale, offset }: FileState): string =>
  [id, ...stamps, bandIndex, nodata, scale, offset].join(' ');
