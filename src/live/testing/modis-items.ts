import { GROUNDS, reflectanceOf } from './ground.ts';
import type { FilePlace, MadeItem } from './made-item.ts';
import { COG_TYPE, toExtensions, toFilePath, toHead } from './made-item.ts';
import { toFootprint } from './mgrs-tiles.ts';
import { makeVirtualCog, paintSquares } from './virtual-cog.ts';

/** A tile of MODIS. */
export interface ModisChoice {
  readonly horizontal: number;
  readonly vertical: number;
  readonly day: string;
}

const RADIUS_M = 6_371_007.181;
const MODIS_TILE_M = (RADIUS_M * Math.PI) / 18;
const MODIS_PX = 2_400;
const SINUSOIDAL = `+proj=sinu +lon_0=0 +x_0=0 +y_0=0 +R=${RADIUS_M} +units=m +no_defs`;
const MODIS_BANDS = ['red', 'nir', 'blue', 'green', 'swir1', 'swir1', 'swir2'] as const;

/** MCD43A4 as the Planetary Computer has it: a sinusoidal grid without a code, sixteen days around the one of its name. */
export function makeModis({ horizontal, vertical, day }: ModisChoice, place: FilePlace): MadeItem {
  const two = (value: number): string => String(value).padStart(2, '0');
  const atMs = Date.parse(`${day}T00:00:00Z`);
  const yearDay = `${day.slice(0, 4)}${String((atMs - Date.parse(`${day.slice(0, 4)}-01-01`)) / 86_400_000 + 1).padStart(3, '0')}`;
  const produced = `${Number(day.slice(0, 4)) + 1}009044758`;
  const name = `MCD43A4.A${yearDay}.h${two(horizontal)}v${two(vertical)}.061.${produced}`;
  const west = (horizontal - 18) * MODIS_TILE_M;
  const north = (9 - vertical) * MODIS_TILE_M;
  const pixelM = MODIS_TILE_M / MODIS_PX;
  const host = 'modiseuwest.blob.core.windows.net';
  const folder = `modis-061-cogs/MCD43A4/${two(horizontal)}/${two(vertical)}/${yearDay}`;
  const files = MODIS_BANDS.flatMap((meaning, i) => [
    { key: `Nadir_Reflectance_Band${i + 1}`, meaning },
    { key: `BRDF_Albedo_Band_Mandatory_Quality_Band${i + 1}`, meaning: null },
  ]).map((file) => ({ ...file, path: `${folder}/${name}_${file.key}.tif` }));
  const centreDeg =
    ((west + MODIS_TILE_M / 2) / (RADIUS_M * Math.cos((north - MODIS_TILE_M / 2) / RADIUS_M))) *
    (180 / Math.PI);
  return {
    head: toHead({
      stac_extensions: toExtensions('projection/v1.0.0', 'eo/v1.0.0', 'raster/v1.1.0'),
      // Only the names of files have the time of production.
      id: name.slice(0, name.lastIndexOf('.')),
      collection: 'modis-43A4-061',
      geometry: toFootprint(SINUSOIDAL, centreDeg, [west, north - MODIS_TILE_M, west + MODIS_TILE_M, north]),
      properties: {
        created: new Date(atMs + 9 * 86_400_000).toISOString(),
        updated: new Date(atMs + 9 * 86_400_000).toISOString(),
        datetime: null,
        start_datetime: new Date(atMs - 8 * 86_400_000).toISOString().replace('.000', ''),
        end_datetime: new Date(atMs + 8 * 86_400_000 - 1_000).toISOString().replace('.000', ''),
        platform: 'aqua,terra',
        instruments: ['modis'],
        'proj:epsg': null,
        'proj:wkt2': SINUSOIDAL_WKT,
        'proj:shape': [MODIS_PX, MODIS_PX],
        'proj:transform': [pixelM, 0, west, 0, -pixelM, north],
        'modis:tile-id': `51${String(horizontal).padStart(3, '0')}${String(vertical).padStart(3, '0')}`,
        'modis:horizontal-tile': horizontal,
        'modis:vertical-tile': vertical,
      },
    }),
    links: [],
    assets: () =>
      Object.fromEntries(
        files.map(({ key, meaning, path }) => [
          key,
          {
            href: place.toHttps(host, path),
            type: COG_TYPE,
            roles: ['data'],
            title: key.replaceAll('_', ' '),
            'raster:bands': [
              meaning === null
                ? { data_type: 'uint8', spatial_resolution: 500 }
                : { data_type: 'int16', scale: 0.0001, spatial_resolution: 500 },
            ],
          },
        ]),
      ),
    files: () =>
      new Map(
        files.map(({ path, meaning }) => [
          toFilePath(host, path),
          () =>
            makeVirtualCog(
              {
                width: MODIS_PX,
                height: MODIS_PX,
                bandCount: 1,
                type: meaning === null ? 'uint8' : 'int16',
                epsg: null,
                sinusoidalRadiusM: RADIUS_M,
                transform: [west, pixelM, 0, north, 0, -pixelM],
                nodata: meaning === null ? 255 : 32_767,
                compression: 'deflate',
                level: 1,
                predictor: 2,
              },
              paintSquares({
                squarePx: 32,
                cornerPx: 0,
                values: [
                  meaning === null
                    ? [0, 0, 0, 0, 0]
                    : [
                        ...GROUNDS.map((ground) => Math.round(reflectanceOf(ground, meaning, day) * 10_000)),
                        0,
                      ],
                ],
              }),
            ),
        ]),
      ),
  };
}

const SINUSOIDAL_WKT =
  `PROJCRS["unnamed",BASEGEOGCRS["sphere",DATUM["sphere",ELLIPSOID["sphere",${RADIUS_M},0,LENGTHUNIT["metre",1]]],` +
  'PRIMEM["Greenwich",0,ANGLEUNIT["degree",0.0174532925199433]]],CONVERSION["unnamed",METHOD["Sinusoidal"],' +
  'PARAMETER["Longitude of natural origin",0,ANGLEUNIT["degree",0.0174532925199433]],' +
  'PARAMETER["False easting",0,LENGTHUNIT["metre",1]],PARAMETER["False northing",0,LENGTHUNIT["metre",1]]],' +
  'CS[Cartesian,2],AXIS["easting",east,ORDER[1],LENGTHUNIT["metre",1]],' +
  'AXIS["northing",north,ORDER[2],LENGTHUNIT["metre",1]]]';
