import type { TypedTree } from '../bandmath/index.ts';
import type { StoredFile } from '../formats/block-file/index.ts';
import type { CopyOptions } from '../formats/cog/index.ts';
import { isStorableCode, toAreaKeys } from '../formats/tiff/index.ts';
import type { Grid } from '../geo/index.ts';
import type { GeoreferencedGrid } from '../proj/index.ts';
import type { PixelWindow } from '../raster/index.ts';
import type { ComparedScene } from '../render/native/index.ts';
import { toNativeGrid } from '../render/native/index.ts';

/** The grid of a file, and its reference system as the file states it. */
export interface FileGrid {
  readonly grid: Grid;
  readonly crs: FileCrs;
  /** Whether these are the pixels of a band, so that nothing has to be resampled for it. */
  readonly isNative: boolean;
}

/** The grid of a file of expressions: that of the coarsest band, in UTM if a file cannot state its reference system. */
export function toFileGrid(tree: TypedTree, scene: ComparedScene): FileGrid {
  const { grid, isNative } = toNativeGrid(tree, scene, (own) => toFileCrs(own) !== null);
  return { grid, isNative, crs: toFileCrs(grid) ?? { epsg: grid.epsg, sinusoidalRadiusM: null } };
}

/** The reference system of a file in terms of the COG writer. */
interface FileCrs {
  readonly epsg: number | null;
  readonly sinusoidalRadiusM: number | null;
}

/** How the reference system of a grid is stored in a file; null where GeoTIFF keys that we write cannot say it. */
export function toFileCrs({ epsg, proj }: Pick<Grid, 'epsg' | 'proj'>): FileCrs | null {
  if (proj == null) return isStorableCode(epsg) ? { epsg, sinusoidalRadiusM: null } : null;
  const radiusM = toSinusoidalRadius(proj);
  return radiusM === null ? null : { epsg: null, sinusoidalRadiusM: radiusM };
}

type Georeference = Pick<
  CopyOptions,
  'epsg' | 'sinusoidalRadiusM' | 'geoKeys' | 'transform' | 'controlPoints'
>;

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

/** The reference system: by its code, by the keys of the file, or as a sinusoidal one; a file may have none. */
function toSystem({ epsg, proj }: GeoreferencedGrid, file: StoredFile): Partial<Georeference> {
  if (proj == null && isStorableCode(epsg)) return { epsg };
  if (file.format === 'tiff' && file.geoKeys !== null)
    return { epsg: null, geoKeys: toAreaKeys(file.geoKeys) };
  return { epsg: null, sinusoidalRadiusM: toSinusoidalRadius(proj ?? '') };
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

/** The sphere's radius of a sinusoidal system around longitude 0, as MODIS has it; null for every other system. */
function toSinusoidalRadius(proj: string): number | null {
  const parameters = new Map(
    proj
      .split(/\s+/)
      .filter((word) => word.startsWith('+'))
      .map((word): [string, string] => {
        const [name = '', value = ''] = word.slice(1).split('=');
        return [name, value];
      }),
  );
  const isZero = (name: string): boolean => Number(parameters.get(name) ?? 0) === 0;
  if (parameters.get('proj') !== 'sinu' || !['lon_0', 'x_0', 'y_0'].every(isZero)) return null;
  if ((parameters.get('units') ?? 'm') !== 'm') return null;
  const [a, b] = [parameters.get('a'), parameters.get('b')];
  const radiusM = Number(parameters.get('R') ?? (a === b ? a : undefined));
  return radiusM > 0 ? radiusM : null;
}
