/** An image of heights that write_dems.py writes with GDAL. */
export interface GeneratedImage {
  /** Below the folder of its source. */
  readonly path: string;
  /** What GDAL reads as a reference system. */
  readonly srs: string;
  /** The upper left corner of the first pixel. */
  readonly corner: readonly [x: number, y: number];
  readonly pixel: readonly [width: number, height: number];
  readonly size: readonly [width: number, height: number];
  readonly type: 'float32' | 'int16';
  readonly nodata: number | null;
  readonly driver: 'GTiff' | 'COG';
  readonly options: readonly string[];
  /** Factors of the overviews that are added; COGs have their own. */
  readonly overviews?: readonly number[];
  /** Whether overviews go to a sidecar, `.ovr`. */
  readonly isExternal?: boolean;
  /** stored = (height - offset) / scale. */
  readonly scaling?: { readonly scale: number; readonly offset: number };
  /** Added to x in the formula of the heights, so that they go on across the antimeridian. */
  readonly shiftX?: number;
}

/** An elevation model that is made for the check. */
export interface GeneratedSource {
  readonly name: string;
  readonly images: readonly GeneratedImage[];
  readonly ground: {
    readonly baseM: number;
    /** Height of the longest waves; shorter ones are in proportion. */
    readonly reliefM: number;
    /** Length of the longest waves in units of the reference system. */
    readonly length: number;
    readonly hasVoids: boolean;
  };
  readonly gaps?: 'sea';
  /** Longitudes and latitudes around which tiles are compared. The first should have no void. */
  readonly spots: readonly (readonly [lon: number, lat: number])[];
}

const SECOND = 1 / 3600;
const COG = ['COMPRESS=DEFLATE', 'PREDICTOR=YES', 'BLOCKSIZE=512', 'OVERVIEW_RESAMPLING=AVERAGE'];
const TILED = ['TILED=YES', 'BLOCKXSIZE=256', 'BLOCKYSIZE=256', 'COMPRESS=DEFLATE'];

/** A degree as the Copernicus DEM has it: pixels are centred on whole seconds, so the edge lies half a pixel outside. */
function copernicusTile(lon: number, lat: number, lonSeconds: number): GeneratedImage {
  const pixel = [lonSeconds * SECOND, SECOND] as const;
  const name = `Copernicus_DSM_COG_10_N${lat}_00_E${String(lon).padStart(3, '0')}_00_DEM`;
  return {
    path: `${name}/${name}.tif`,
    srs: 'EPSG:4326',
    corner: [lon - pixel[0] / 2, lat + 1 + pixel[1] / 2],
    pixel,
    size: [Math.round(1 / pixel[0]), 3600],
    type: 'float32',
    nodata: null,
    driver: 'COG',
    options: COG,
  };
}

/** A degree as SRTM has it: the outermost pixels are centred on its edges, so neighbours share a row. */
const srtmTile = (lon: number, lat: number): GeneratedImage => ({
  path: `N${lat}E${String(lon).padStart(3, '0')}.tif`,
  srs: 'EPSG:4326',
  corner: [lon - SECOND / 2, lat + 1 + SECOND / 2],
  pixel: [SECOND, SECOND],
  size: [3601, 3601],
  type: 'int16',
  nodata: -32_768,
  driver: 'GTiff',
  options: [...TILED, 'PREDICTOR=2'],
  overviews: [2, 4, 8],
});

const threeSeconds = { srs: 'EPSG:4326', pixel: [3 * SECOND, 3 * SECOND], driver: 'GTiff' } as const;
const FLOAT = { type: 'float32', nodata: -32_767, options: [...TILED, 'PREDICTOR=3'] } as const;

/** Elevation models of all kinds that people have. */
export const generatedSources: readonly GeneratedSource[] = [
  {
    name: 'glo30-at-50n',
    images: [
      ...[copernicusTile(7, 49, 1), copernicusTile(8, 49, 1)],
      ...[copernicusTile(7, 50, 1.5), copernicusTile(8, 50, 1.5)],
    ],
    ground: { baseM: 300, reliefM: 500, length: 0.25, hasVoids: false },
    spots: [
      [7.5, 49.5],
      [8.0003, 50.0003],
      [7.4, 50.6],
    ],
  },
  {
    name: 'srtm-pair',
    images: [srtmTile(6, 45), srtmTile(6, 46)],
    ground: { baseM: 1800, reliefM: 1500, length: 0.3, hasVoids: true },
    spots: [
      [6.31, 45.37],
      [6.5, 46],
      [6.001, 45.001],
    ],
  },
  {
    name: 'utm-feet',
    images: [
      {
        path: 'dtm.tif',
        // With a vertical system in feet, which GDAL writes as the key VerticalUnits.
        srs: 'EPSG:32633+8228',
        corner: [503_000, 5_502_000],
        pixel: [10, 10],
        size: [1500, 1200],
        ...FLOAT,
        driver: 'GTiff',
        overviews: [2, 4],
        isExternal: true,
      },
    ],
    ground: { baseM: 900, reliefM: 900, length: 6_000, hasVoids: true },
    spots: [
      [15.1, 49.62],
      [15.043, 49.668],
    ],
  },
  {
    name: 'antimeridian-pair',
    images: [
      { path: 'east.tif', corner: [179.5, -16], size: [600, 600], ...threeSeconds, ...FLOAT, overviews: [2] },
      {
        path: 'west.tif',
        corner: [-180, -16],
        size: [600, 600],
        ...threeSeconds,
        ...FLOAT,
        overviews: [2],
        shiftX: 360,
      },
    ],
    ground: { baseM: 400, reliefM: 500, length: 0.2, hasVoids: true },
    spots: [
      [-179.999, -16.21],
      [179.999, -16.3],
      [179.7, -16.2],
    ],
  },
  {
    name: 'antimeridian-across',
    images: [
      {
        path: 'one.tif',
        corner: [179.6, 66],
        size: [1200, 960],
        ...threeSeconds,
        ...FLOAT,
        overviews: [2, 4],
      },
    ],
    ground: { baseM: 400, reliefM: 500, length: 0.2, hasVoids: false },
    spots: [
      [179.999, 65.7],
      [-179.999, 65.6],
      [179.61, 65.7],
    ],
  },
  {
    name: 'north-80',
    images: [copernicusTile(20, 80, 5)],
    ground: { baseM: 200, reliefM: 400, length: 0.2, hasVoids: false },
    spots: [
      [20.5, 80.5],
      [20.01, 80.003],
    ],
  },
  {
    name: 'strips',
    images: [
      {
        path: 'strips.tif',
        corner: [-70, -20],
        size: [1000, 800],
        ...threeSeconds,
        type: 'float32',
        nodata: null,
        options: ['ENDIANNESS=BIG'],
      },
    ],
    ground: { baseM: 3_500, reliefM: 1_500, length: 0.3, hasVoids: false },
    spots: [
      [-69.6, -20.3],
      [-69.999, -20.001],
    ],
  },
  {
    name: 'coast',
    images: [
      {
        path: 'coast.tif',
        corner: [10, 40],
        size: [1200, 1200],
        ...threeSeconds,
        ...FLOAT,
        overviews: [2, 4],
      },
    ],
    ground: { baseM: 700, reliefM: 500, length: 0.2, hasVoids: true },
    gaps: 'sea',
    spots: [
      [10.43, 39.51],
      [10.0003, 39.7],
      [10.999, 39.001],
    ],
  },
  {
    name: 'laea-decimetres',
    images: [
      {
        path: 'laea.tif',
        srs: 'EPSG:3035',
        corner: [4_300_000, 2_700_000],
        pixel: [25, 25],
        size: [1000, 1000],
        type: 'int16',
        nodata: -32_768,
        driver: 'GTiff',
        options: [...TILED, 'PREDICTOR=2'],
        overviews: [2, 4],
        scaling: { scale: 0.1, offset: 1_000 },
      },
    ],
    ground: { baseM: 1_200, reliefM: 700, length: 8_000, hasVoids: true },
    spots: [
      [9.81, 47.33],
      [9.722, 47.405],
    ],
  },
];
