import type { FilePlace, MadeItem } from './made-item.ts';
import { COG_TYPE, digits, toBbox, toExtensions, toFilePath } from './made-item.ts';
import type { Painting } from './virtual-cog.ts';
import { makeVirtualCog } from './virtual-cog.ts';

/** A cell of the Copernicus DEM, by its south-western corner in whole degrees. */
export interface DemChoice {
  readonly lon: number;
  readonly lat: number;
}

const ROWS = 3_600;
/** Fewer columns towards the poles, so that pixels stay nearly square. */
const COLUMNS: readonly (readonly [fromLat: number, columns: number])[] = [
  [85, 360],
  [80, 720],
  [70, 1_200],
  [60, 1_800],
  [50, 2_400],
  [0, 3_600],
];

/** Columns of a cell. */
const columnsAt = (lat: number): number => {
  const fromEquator = lat >= 0 ? lat : -lat - 1;
  return COLUMNS.find(([from]) => fromEquator >= from)![1];
};

/** Hills repeat after so many pixels, which fit into every cell between 80° S and 80° N. */
const WAVE_PX = 200;

/** The height of a pixel: hills of 200 m around a height of 600 m, the same in each cell. */
export const heightAt = (column: number, row: number): number =>
  600 +
  200 * Math.sin((2 * Math.PI * (column + 0.5)) / WAVE_PX) * Math.sin((2 * Math.PI * (row + 0.5)) / WAVE_PX);

const hills: Painting = {
  valueAt: (x, y) => heightAt(x - 0.5, y - 0.5),
  rowKey: (y) => String(y % WAVE_PX),
  blockKey: (x, y) => `${x % WAVE_PX} ${y % WAVE_PX}`,
};

/** The Copernicus DEM of 30 m as a catalog has it: pixels are points, so a cell begins half a pixel before its degree. */
export function makeDem(
  catalog: 'earth-search' | 'planetary-computer',
  { lon, lat }: DemChoice,
  place: FilePlace,
): MadeItem {
  const columns = columnsAt(lat);
  const [acrossDeg, downDeg] = [1 / columns, 1 / ROWS];
  const [west, north] = [lon - acrossDeg / 2, lat + 1 + downDeg / 2];
  const toName = (value: number, letters: string, count: number): string =>
    `${letters[value < 0 ? 1 : 0]}${String(Math.abs(value)).padStart(count, '0')}`;
  const [south, east] = [toName(lat, 'NS', 2), toName(lon, 'EW', 3)];
  const id = `Copernicus_DSM_COG_10_${south}_00_${east}_00_DEM`;
  const ring = [
    [west + 1, north - 1],
    [west + 1, north],
    [west, north],
    [west, north - 1],
    [west + 1, north - 1],
  ] as const;
  const geometry = { type: 'Polygon', coordinates: [ring] } as const;
  const host = 'elevationeuwest.blob.core.windows.net';
  const blob = `copernicus-dem/COP30_hh/${id}.tif`;
  const [bucket, key] = ['copernicus-dem-30m', `${id}/${id}.tif`];
  const isAmazon = catalog === 'earth-search';
  return {
    head: {
      type: 'Feature',
      stac_version: '1.0.0',
      stac_extensions: toExtensions('storage/v1.0.0', 'raster/v1.1.0', 'grid/v1.1.0', 'projection/v1.1.0'),
      id,
      collection: 'cop-dem-glo-30',
      geometry,
      bbox: toBbox(geometry),
      properties: {
        platform: 'tandem-x',
        gsd: 30,
        'proj:epsg': 4326,
        'proj:transform': [acrossDeg, 0, west, 0, -downDeg, north],
        'proj:shape': [ROWS, columns],
        datetime: '2021-04-22T00:00:00Z',
        ...(isAmazon
          ? {
              'grid:code': `CDEM-${south}${east}`,
              'storage:platform': 'AWS',
              'storage:region': 'eu-central-1',
              'storage:requester_pays': false,
              'earthsearch:payload_id': `cop-dem-glo/workflow-cop-dem-glo-to-stac/${digits(32, id)}`,
              created: '2023-03-28T15:00:00.000Z',
              updated: '2023-04-20T18:00:00.000Z',
            }
          : {}),
      },
    },
    links: [],
    assets: () => ({
      data: {
        href: isAmazon ? place.toS3(bucket, key) : place.toHttps(host, blob),
        type: COG_TYPE,
        title: isAmazon ? 'Data' : id,
        ...(isAmazon
          ? {
              'raster:bands': [
                { sampling: 'point', data_type: 'float32', spatial_resolution: 30, unit: 'meter' },
              ],
            }
          : {}),
        roles: ['data'],
      },
    }),
    files: () =>
      new Map([
        [
          isAmazon ? toFilePath(bucket, key) : toFilePath(host, blob),
          () =>
            makeVirtualCog(
              {
                width: columns,
                height: ROWS,
                bandCount: 1,
                type: 'float32',
                epsg: 4326,
                transform: [west, acrossDeg, 0, north, 0, -downDeg],
                nodata: null,
                compression: 'deflate',
                level: 1,
                predictor: 3,
                // Whole waves in each block, so that all of them are the same.
                blockSize: 2 * WAVE_PX,
              },
              hills,
            ),
        ],
      ]),
  };
}
