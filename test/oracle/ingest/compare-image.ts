import type { Asset } from '../../../src/catalog/index.ts';

/** What gdalinfo says of an image, as far as it is compared. */
export interface GdalInfo {
  readonly driverShortName: string;
  /** Ours, see gdal_info.py. */
  readonly measuredPercent?: number;
  readonly hullPercent?: number;
  readonly size: readonly [number, number];
  readonly geoTransform?: readonly number[];
  readonly gcps?: { readonly gcpList: readonly { pixel: number; line: number; x: number; y: number }[] };
  readonly coordinateSystem?: { readonly wkt: string };
  readonly wgs84Extent?: { readonly coordinates: readonly (readonly (readonly [number, number])[])[] };
  readonly bands: readonly {
    readonly type: string;
    readonly noDataValue?: number | string;
    readonly overviews?: readonly { readonly size: readonly [number, number] }[];
  }[];
}

const TYPES: Readonly<Record<string, string>> = {
  Byte: 'uint8',
  UInt16: 'uint16',
  Int16: 'int16',
  Float32: 'float32',
};

/** Compares an asset with what GDAL sees in its file. */
export function compareImage([name, asset]: readonly [string, Asset], info: GdalInfo): string[] {
  const faults: string[] = [];
  const expect = (what: string, ours: unknown, theirs: unknown) => {
    if (JSON.stringify(ours) !== JSON.stringify(theirs)) {
      faults.push(`${name} ${what}: ${JSON.stringify(ours)}, GDAL ${JSON.stringify(theirs)}`);
    }
  };
  const band = info.bands[asset.bandIndex];
  expect('size', [asset.width, asset.height], info.size);
  expect('type', asset.type, TYPES[band?.type ?? '']);
  // Where a file states none, ours is that of the sensor.
  if (band?.noDataValue !== undefined) expect('nodata', asset.nodata, Number(band.noDataValue));
  // Of JPEG 2000 GDAL does not show the levels below 128 pixels.
  if (info.driverShortName === 'GTiff') {
    expect(
      'overviews',
      asset.overviews.map(({ width, height }) => [width, height]),
      band?.overviews?.map(({ size }) => size) ?? [],
    );
  }
  const code = /ID\["EPSG",(\d+)\]\]$/.exec(info.coordinateSystem?.wkt ?? '')?.[1];
  if (code !== undefined) expect('reference system', asset.epsg, Number(code));
  if (asset.lattice === undefined) {
    const off = asset.transform.map((value, i) => Math.abs(value - (info.geoTransform?.[i] ?? Number.NaN)));
    if (!off.every((distance) => distance < 1e-6)) faults.push(`${name} lies elsewhere: ${off}`);
  } else faults.push(...compareLattice(name, asset, info));
  return faults;
}

function compareLattice(name: string, { lattice }: Asset, { gcps }: GdalInfo): string[] {
  const { cols, rows, x, y } = lattice!;
  const points = gcps?.gcpList ?? [];
  if (points.length !== x.length) return [`${name} has ${x.length} control points, GDAL ${points.length}`];
  const isThere = points.every((point) => {
    const col = cols.findIndex((at) => Math.abs(at - point.pixel) < 2e-3);
    const row = rows.findIndex((at) => Math.abs(at - point.line) < 2e-3);
    const i = row * cols.length + col;
    return Math.abs(x[i]! - point.x) < 1e-9 && Math.abs(y[i]! - point.y) < 1e-9;
  });
  return isThere ? [] : [`${name} has control points that GDAL has not`];
}
