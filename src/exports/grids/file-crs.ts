import { isStorableCode } from '../../formats/tiff/index.ts';
import type { Grid } from '../../geo/index.ts';

/** The reference system of a file in terms of the COG writer. */
export interface FileCrs {
  readonly epsg: number | null;
  readonly sinusoidalRadiusM: number | null;
}

/** How the reference system of a grid is stored in a file; null where GeoTIFF keys that we write cannot say it. */
export function toFileCrs({ epsg, proj }: Pick<Grid, 'epsg' | 'proj'>): FileCrs | null {
  if (proj == null) return isStorableCode(epsg) ? { epsg, sinusoidalRadiusM: null } : null;
  const radiusM = toSinusoidalRadius(proj);
  return radiusM === null ? null : { epsg: null, sinusoidalRadiusM: radiusM };
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
