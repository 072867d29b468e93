import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { sourceBroken, unsupported } from '../../errors.ts';
import { findGrib } from '../../formats/grib/index.ts';
import type { Hdf5Thread } from '../../formats/hdf5/index.ts';
import { openNetcdf } from '../../formats/netcdf/index.ts';
import { openZarr } from '../../formats/zarr/index.ts';
import type { ByteSource } from '../../sources/index.ts';
import { toGridFile } from './array-grid-file.ts';
import { openGribGrid } from './grib-grid-file.ts';
import type { GridFile } from './grid-file.ts';
import { openTiffGrid } from './tiff-grid-file.ts';

/** How files are opened. */
export interface OpenGridDeps {
  /** Opens a file of this machine in ranges, by its path. */
  readonly open: (path: string) => Promise<ByteSource>;
  readonly hdf5: Hdf5Thread;
}

/** Enough for every signature, and for GRIB after a heading of the WMO. */
const HEAD_BYTES = 1_024;
const SIGNATURE_BYTES = 8;
const HDF5_HEAD = '894844460d0a1a0a';

/** Opens a file of fields, whichever of the known formats it has: NetCDF 3 and 4, HDF5, GeoTIFF, GRIB, or a folder of Zarr. */
export async function openGridFile(path: string, { open, hdf5 }: OpenGridDeps): Promise<GridFile> {
  const name = basename(path);
  const stats = await stat(path).catch((cause: unknown) => {
    throw sourceBroken('source-gone', 'The file cannot be opened.', { cause });
  });
  if (stats.isDirectory()) return toGridFile(await openZarr(path), name);
  const source = await open(path);
  try {
    const head = Buffer.from(await source.read(0, Math.min(HEAD_BYTES, source.size)));
    if (head.subarray(0, SIGNATURE_BYTES).toString('hex') === HDF5_HEAD) {
      await source.close();
      return await toGridFile(await hdf5.open(path), name);
    }
    const text = head.toString('latin1');
    if (text.startsWith('CDF'))
      return closing(await toGridFile(await openNetcdf(source), name), source.close);
    if (/^(II[*+]\0|MM\0[*+])/.test(text)) return closing(await openTiffGrid(source, name), source.close);
    if (findGrib(head) >= 0) return closing(await openGribGrid(source), source.close);
    throw unsupported('unknown-format', 'The file is neither NetCDF nor HDF5 nor GeoTIFF nor GRIB.');
  } catch (error) {
    await source.close();
    throw error;
  }
}

const closing = (file: GridFile, close: () => Promise<void>): GridFile => ({
  variables: file.variables,
  async close() {
    await file.close();
    await close();
  },
});
