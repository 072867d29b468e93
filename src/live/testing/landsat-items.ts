import type { LandsatChoice, LandsatFile, LandsatScene } from './landsat-scene.ts';
import {
  LANDSAT_HEIGHT,
  LANDSAT_KELVIN,
  LANDSAT_REFLECTANCE,
  LANDSAT_WIDTH,
  listLandsatFiles,
  makeLandsatCog,
  makeLandsatScene,
} from './landsat-scene.ts';
import type { FilePlace, MadeItem, MakeFile } from './made-item.ts';
import { COG_TYPE, digits, toBbox, toExtensions, toFilePath } from './made-item.ts';
import { makePicture } from './sentinel2-scene.ts';

const INSTRUMENTS = { 5: ['tm'], 7: ['etm+'], 8: ['oli', 'tirs'], 9: ['oli', 'tirs'] } as const;
const FOLDERS = { 5: 'tm', 7: 'etm', 8: 'oli-tirs', 9: 'oli-tirs' } as const;

const toFolder = ({ satellite, day, path, row, productId }: LandsatScene): string =>
  `level-2/standard/${FOLDERS[satellite]}/${day.slice(0, 4)}/${path}/${row}/${productId}`;

/** Properties that both catalogs have. */
const toProperties = (scene: LandsatScene): Record<string, unknown> => ({
  datetime: new Date(scene.atMs).toISOString().replace('Z', '000Z'),
  'eo:cloud_cover': scene.cloud,
  'view:sun_azimuth': scene.sunAzimuthDeg,
  'view:sun_elevation': scene.sunElevationDeg,
  'view:off_nadir': 0,
  'landsat:cloud_cover_land': scene.cloud,
  'landsat:wrs_type': '2',
  'landsat:wrs_path': scene.path,
  'landsat:wrs_row': scene.row,
  'landsat:scene_id': scene.sceneId,
  'landsat:collection_category': 'T1',
  'landsat:collection_number': '02',
  'landsat:correction': 'L2SP',
  'proj:epsg': scene.epsg,
  'proj:shape': [LANDSAT_HEIGHT, LANDSAT_WIDTH],
  'proj:transform': [30, 0, scene.west, 0, -30, scene.north],
});

const PLANETARY_HOST = 'landsateuwest.blob.core.windows.net';

/** Landsat level 2 as the Planetary Computer has it: ids without the day of processing, files that need a token. */
export function makePlanetaryLandsat(choice: LandsatChoice, place: FilePlace): MadeItem {
  const scene = makeLandsatScene(choice);
  const { productId, satellite, footprint, updated } = scene;
  const id = productId.replace(/_\d{8}(?=_02_)/, '');
  const folder = `landsat-c2/${toFolder(scene)}`;
  const files = listLandsatFiles(satellite);
  const toPath = ({ end }: LandsatFile): string => `${folder}/${productId}_${end}.TIF`;
  const prefix = { 5: 'TM', 7: 'ETM', 8: 'OLI', 9: 'OLI' }[satellite];
  return {
    head: {
      type: 'Feature',
      stac_version: '1.0.0',
      stac_extensions: toExtensions(
        ...['raster/v1.0.0', 'eo/v1.0.0', 'view/v1.0.0', 'projection/v1.0.0', 'classification/v1.0.0'],
        'scientific/v1.0.0',
      ),
      id,
      collection: 'landsat-c2-l2',
      geometry: footprint,
      bbox: toBbox(footprint),
      properties: {
        gsd: 30,
        created: updated,
        'sci:doi': '10.5066/P9OGBGM6',
        platform: `landsat-${satellite}`,
        instruments: INSTRUMENTS[satellite],
        description: 'Landsat Collection 2 Level-2',
        ...toProperties(scene),
      },
    },
    links: [],
    assets: () => ({
      ...Object.fromEntries(
        files.map((file) => [
          file.key,
          {
            href: place.toHttps(PLANETARY_HOST, toPath(file)),
            type: COG_TYPE,
            title: file.title,
            ...toPlanetaryBand(file, prefix),
          },
        ]),
      ),
      'mtl.json': {
        href: place.toHttps(PLANETARY_HOST, `${folder}/${productId}_MTL.json`),
        type: 'application/json',
        roles: ['metadata'],
        title: 'Product Metadata File (json)',
      },
      rendered_preview: {
        href: `https://planetarycomputer.microsoft.com/api/data/v1/item/preview.png?collection=landsat-c2-l2&item=${id}&assets=red&format=png`,
        rel: 'preview',
        type: 'image/png',
        roles: ['overview'],
        title: 'Rendered preview',
      },
    }),
    files: () =>
      new Map(
        files.map((file) => [toFilePath(PLANETARY_HOST, toPath(file)), () => makeLandsatCog(scene, file)]),
      ),
  };
}

function toPlanetaryBand({ content, end, key, centreUm, widthUm }: LandsatFile, prefix: string) {
  const raster = { data_type: 'uint16', spatial_resolution: 30 };
  const number = end.replace(/^S[RT]_/, '');
  switch (content.kind) {
    case 'reflectance':
      return {
        roles: ['data', 'reflectance'],
        'eo:bands': [
          {
            name: `${prefix}_${number}`,
            common_name: key,
            center_wavelength: centreUm,
            full_width_half_max: widthUm,
          },
        ],
        'raster:bands': [{ nodata: 0, ...raster, ...LANDSAT_REFLECTANCE }],
      };
    case 'temperature':
      return {
        roles: ['data', 'temperature'],
        gsd: 100,
        'eo:bands': [{ name: `${prefix === 'OLI' ? 'TIRS' : prefix}_${number}`, common_name: key }],
        'raster:bands': [{ nodata: 0, unit: 'kelvin', ...raster, ...LANDSAT_KELVIN }],
      };
    case 'quality':
      return {
        roles: ['cloud', 'cloud-shadow', 'snow-ice', 'water-mask'],
        'raster:bands': [{ unit: 'bit index', nodata: 1, ...raster }],
      };
    case 'flags':
      return { roles: ['saturation'], 'raster:bands': [{ unit: 'bit index', ...raster }] };
  }
}

const USGS_HOST = 'landsatlook.usgs.gov';
const USGS_BUCKET = 'usgs-landsat';

/** Landsat level 2 as the USGS has it: each file at an address that needs a login, and in a bucket whose readers pay. */
export function makeUsgsLandsat(choice: LandsatChoice, place: FilePlace): MadeItem {
  const scene = makeLandsatScene(choice);
  const { productId, satellite, footprint, updated } = scene;
  const folder = `collection02/${toFolder(scene)}`;
  // Temperature is an item of another collection.
  const files = listLandsatFiles(satellite).filter(({ content }) => content.kind !== 'temperature');
  const toKey = (end: string): string => `${folder}/${productId}_${end}`;
  const toAddresses = (end: string) => ({
    href: place.toHttps(USGS_HOST, `data/${toKey(end)}`),
    alternate: {
      s3: {
        'storage:platform': 'AWS',
        'storage:requester_pays': true,
        href: place.toS3(USGS_BUCKET, toKey(end)),
      },
    },
    'file:checksum': `1340${digits(64, productId, end)}${digits(64, end, productId)}`,
  });
  return {
    head: {
      type: 'Feature',
      stac_version: '1.0.0',
      stac_extensions: [
        'https://landsat.usgs.gov/stac/landsat-extension/v1.1.1/schema.json',
        ...toExtensions('view/v1.0.0', 'projection/v1.0.0', 'eo/v1.0.0', 'alternate-assets/v1.1.0'),
        ...toExtensions('storage/v1.0.0'),
      ],
      id: `${productId}_SR`,
      collection: 'landsat-c2l2-sr',
      geometry: footprint,
      bbox: toBbox(footprint),
      properties: {
        platform: `LANDSAT_${satellite}`,
        instruments: INSTRUMENTS[satellite].map((name) => name.toUpperCase()),
        ...toProperties(scene),
        created: updated,
        updated,
      },
    },
    links: [],
    assets: () => ({
      thumbnail: {
        ...toAddresses('thumb_small.jpeg'),
        type: 'image/jpeg',
        title: 'Thumbnail image',
        roles: ['thumbnail'],
      },
      ...Object.fromEntries(
        files.map(({ key, end, title, content, centreUm }) => [
          key,
          {
            ...toAddresses(`${end}.TIF`),
            title,
            type: 'image/vnd.stac.geotiff; cloud-optimized=true',
            roles: content.kind === 'reflectance' ? ['data', 'reflectance'] : ['cloud', 'cloud-shadow'],
            ...(content.kind === 'reflectance'
              ? {
                  'eo:bands': [
                    { name: end.replace('SR_', ''), common_name: key, gsd: 30, center_wavelength: centreUm },
                  ],
                }
              : {}),
          },
        ]),
      ),
      'MTL.json': { ...toAddresses('MTL.json'), type: 'application/json', roles: ['metadata'] },
    }),
    files: () => {
      const both = (end: string, make: MakeFile): [string, MakeFile][] => [
        [toFilePath(USGS_HOST, `data/${toKey(end)}`), make],
        [toFilePath(USGS_BUCKET, toKey(end)), make],
      ];
      return new Map([
        ...files.flatMap((file) => both(`${file.end}.TIF`, () => makeLandsatCog(scene, file))),
        ...both('thumb_small.jpeg', makePicture),
      ]);
    },
  };
}
