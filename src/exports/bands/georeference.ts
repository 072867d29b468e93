import type { StoredFile } from '../../formats/block-file/index.ts';
import type { CopyOptions } from '../../formats/cog/index.ts';
import { isStorableCode, toAreaKeys } from '../../formats/tiff/index.ts';
import type { GeoreferencedGrid } from '../../proj/index.ts';
import type { PixelWindow } from '../../raster/index.ts';

type Georeference = Pick<
  CopyOptions,
  'epsg' | 'sinusoidalRadiusM' | 'geoKeys' | 'transform' | 'controlPoints'
>;

/** The radius of the sphere of a sinusoidal system around longitude 0, as MODIS has it; null for any other text. */
function findSinusoidalRadius(proj: string): number | null {
  const values = new Map(
    proj.split(/\s+/).map((word) => {
      const [name = '', value = ''] = word.split('=');
      return [name, value] as const;
    }),
  );
  const isPlain = ['+lon_0', '+x_0', '+y_0'].every((name) => Number(values.get(name) ?? 0) === 0);
  const radius = Number(values.get('+R') ?? Number.NaN);
  return values.get('+proj') === 'sinu' && isPlain && radius > 0 ? radius : null;
}

/** The reference system: by its code, by the keys of the file, or as a sinusoidal one; a file may have none. */
function toSystem({ epsg, proj }: GeoreferencedGrid, file: StoredFile): Partial<Georeference> {
  if (proj == null && isStorableCode(epsg)) return { epsg };
  if (file.format === 'tiff' && file.geoKeys !== null)
    return { epsg: null, geoKeys: toAreaKeys(file.geoKeys) };
  return { epsg: null, sinusoidalRadiusM: findSinusoidalRadius(proj ?? '') };
}

/** The control points of a part of an image: those of its file, which have heights, or the nodes of its lattice. */
function toControlPoints({ lattice }: GeoreferencedGrid, file: StoredFile, { x, y }: PixelWindow) {
  if (lattice == null) return [];
  if (file.format === 'tiff' && file.gcps.length > 0) {
    return file.gcps.map((point) => ({ ...point, column: point.column - x, row: point.row - y }));
  }
  const { cols, rows, x: xs, y: ys } = lattice;
  return xs.map((lon, i) => ({
    column: cols[i % cols.length]!,
    row: rows[Math.floor(i / cols.length)]!,
    x: lon,
    y: ys[i]!,
    z: 0,
  }));
}

/**
 * The georeference of a file of an order: as the catalog has it, which may know more than the file. `grid` is that of
 * the part, `window` says where the part begins in the file.
 */
export function toGeoreference(grid: GeoreferencedGrid, file: StoredFile, window: PixelWindow): Georeference {
  const system = toSystem(grid, file);
  return {
    epsg: null,
    ...system,
    transform: grid.lattice == null ? grid.transform : null,
    controlPoints: toControlPoints(grid, file, window),
  };
}
