import type { FakeItem, FilePlace, MadeItem, MakeFile } from './made-item.ts';
import { COG_TYPE, digits, toBbox, toExtensions, toFilePath } from './made-item.ts';
import type { MsiContent, Sentinel2Choice, Sentinel2Scene } from './sentinel2-scene.ts';
import {
  hasOffset,
  MSI_BANDS,
  MSI_OFFSET,
  MSI_PLAIN,
  makeMsiCog,
  makePicture,
  makeSentinel2Scene,
  toProjection,
} from './sentinel2-scene.ts';
import { makeTextFile } from './virtual-file.ts';

type Collection = 'sentinel-2-l2a' | 'sentinel-2-c1-l2a';

/** Where the two collections have their files. */
const PLACES: Readonly<Record<Collection, { readonly host: string; readonly folder: string }>> = {
  'sentinel-2-l2a': { host: 'sentinel-cogs.s3.us-west-2.amazonaws.com', folder: 'sentinel-s2-l2a-cogs' },
  'sentinel-2-c1-l2a': {
    host: 'e84-earth-search-sentinel-data.s3.us-west-2.amazonaws.com',
    folder: 'sentinel-2-c1-l2a',
  },
};
/** The provider's own files, whose readers pay. */
const JP2_BUCKET = 'sentinel-s2-l2a';

/**
 * Sentinel-2 L2A as Earth Search has it. In `sentinel-2-l2a` the offset of newer baselines is taken out of the pixels
 * although `raster:bands` states it; in `sentinel-2-c1-l2a` it is in the pixels.
 */
export function makeEarthSearchSentinel2(
  collection: Collection,
  choice: Sentinel2Choice,
  place: FilePlace,
): MadeItem {
  const scene = makeSentinel2Scene(choice);
  const { tile, satellite, sequence, day, names } = scene;
  const [year, month, date] = day.split('-').map(Number);
  const isC1 = collection === 'sentinel-2-c1-l2a';
  const id = isC1
    ? `${satellite}_T${tile.name.padStart(5, '0')}_${names.strip}_L2A`
    : `${satellite}_${tile.name}_${day.replaceAll('-', '')}_${sequence}_L2A`;
  const { host, folder } = PLACES[collection];
  const key = `${folder}/${tile.zone}/${tile.latitudeBand}/${tile.square}/${year}/${month}/${id}`;
  const tiles = `tiles/${tile.zone}/${tile.latitudeBand}/${tile.square}/${year}/${month}/${date}/${sequence}`;
  const paths: Paths = { host, key, tiles, place };
  return {
    head: {
      type: 'Feature',
      stac_version: '1.0.0',
      stac_extensions: toExtensions(
        ...['grid/v1.1.0', 'mgrs/v1.0.0', 'processing/v1.1.0', 'projection/v1.1.0', 'sentinel-2/v1.0.0'],
        ...['raster/v1.1.0', 'view/v1.0.0', 'eo/v1.1.0'],
        ...(isC1 ? ['file/v2.1.0', 'storage/v1.0.0'] : []),
      ),
      id,
      collection,
      geometry: tile.footprint,
      bbox: toBbox(tile.footprint),
      properties: { ...toProperties(scene, id), ...(isC1 ? storageProperties : toL2aProperties(scene, key)) },
    },
    links: [
      {
        rel: 'canonical',
        href: `s3://${host.split('.')[0]}/${key}/${id}.json`,
        type: 'application/json',
      },
    ],
    assets: () => toAssets(scene, isC1, paths),
    files: () => toFiles(scene, isC1, paths),
  };
}

interface Paths {
  readonly host: string;
  readonly key: string;
  readonly tiles: string;
  readonly place: FilePlace;
}

function toProperties(scene: Sentinel2Scene, id: string): Record<string, unknown> {
  const { tile, cloud, names, baseline, satellite, updated } = scene;
  const share = (part: number): number => Math.round((100 - cloud) * part * 1e4) / 1e6;
  return {
    created: updated,
    platform: satellite.replace('S2', 'sentinel-2').toLowerCase(),
    constellation: 'sentinel-2',
    instruments: ['msi'],
    'eo:cloud_cover': cloud,
    'proj:epsg': tile.epsg,
    'mgrs:utm_zone': tile.zone,
    'mgrs:latitude_band': tile.latitudeBand,
    'mgrs:grid_square': tile.square,
    'grid:code': `MGRS-${tile.name}`,
    'view:sun_azimuth': scene.sunAzimuthDeg,
    'view:sun_elevation': scene.sunElevationDeg,
    's2:tile_id': names.granule,
    's2:degraded_msi_data_percentage': 0,
    's2:nodata_pixel_percentage': 0,
    's2:saturated_defective_pixel_percentage': 0,
    's2:cloud_shadow_percentage': 0,
    's2:vegetation_percentage': share(50),
    's2:not_vegetated_percentage': share(25),
    's2:water_percentage': share(25),
    's2:unclassified_percentage': 0,
    's2:medium_proba_clouds_percentage': 0,
    's2:high_proba_clouds_percentage': cloud,
    's2:thin_cirrus_percentage': 0,
    's2:snow_ice_percentage': 0,
    's2:product_type': 'S2MSI2A',
    's2:processing_baseline': baseline,
    's2:product_uri': `${names.product}.SAFE`,
    's2:generation_time': new Date(scene.atMs + 10_800_000).toISOString().replace('.000Z', '.000000Z'),
    's2:datatake_id': names.datatake,
    's2:datatake_type': 'INS-NOBS',
    's2:datastrip_id': names.datastrip,
    's2:reflectance_conversion_factor': 1,
    datetime: new Date(scene.atMs).toISOString().replace('Z', '000Z'),
    'earthsearch:payload_id': `made-up/workflow-sentinel2-to-stac/${digits(32, id)}`,
    'processing:software': { 'sentinel2-to-stac': '2026.01.01' },
    updated,
  };
}

const storageProperties = {
  'storage:platform': 'AWS',
  'storage:region': 'us-west-2',
  'storage:requester_pays': false,
};

const toL2aProperties = (scene: Sentinel2Scene, key: string) => ({
  's2:sequence': String(scene.sequence),
  'earthsearch:s3_path': `s3://sentinel-cogs/${key}`,
  'earthsearch:boa_offset_applied': hasOffset(scene),
});

/** Images besides the bands: file, pixels and content. */
const OTHERS: readonly {
  readonly key: string;
  readonly file: string;
  readonly title: string;
  readonly scale?: number;
  readonly content: MsiContent;
}[] = [
  {
    key: 'aot',
    file: 'AOT',
    title: 'Aerosol optical thickness (AOT)',
    scale: 0.001,
    content: { kind: 'constant', value: 120 },
  },
  { key: 'scl', file: 'SCL', title: 'Scene classification map (SCL)', content: { kind: 'classes' } },
  {
    key: 'wvp',
    file: 'WVP',
    title: 'Water Vapour (WVP)',
    scale: 0.001,
    content: { kind: 'constant', value: 900 },
  },
];

function toAssets(
  scene: Sentinel2Scene,
  isC1: boolean,
  { host, key, tiles, place }: Paths,
): FakeItem['assets'] {
  const { tile } = scene;
  const href = (file: string): string => place.toHttps(host, `${key}/${file}`);
  const offset = hasOffset(scene) ? -0.1 : 0;
  const toEo = ({ name, commonName, centreUm, widthUm }: (typeof MSI_BANDS)[number]) => ({
    name,
    common_name: commonName,
    center_wavelength: centreUm,
    full_width_half_max: widthUm,
  });
  const bands = MSI_BANDS.map((one) => ({
    key: one.key,
    file: one.name,
    asset: {
      type: COG_TYPE,
      title: `${one.title} - ${one.pixelM}m`,
      'eo:bands': [toEo(one)],
      gsd: one.pixelM,
      ...toProjection(tile, one.pixelM),
      'raster:bands': [
        { nodata: 0, data_type: 'uint16', spatial_resolution: one.pixelM, scale: 0.0001, offset },
      ],
      ...(isC1 ? { 'file:checksum': `1220${digits(64, key, one.name)}` } : {}),
      roles: ['data', 'reflectance'],
    },
  }));
  const others = OTHERS.map((one) => ({
    key: one.key,
    file: one.file,
    asset: {
      type: COG_TYPE,
      title: one.title,
      gsd: 20,
      ...toProjection(tile, 20),
      'raster:bands': [
        one.scale === undefined
          ? { nodata: 0, data_type: 'uint8', spatial_resolution: 20 }
          : { nodata: 0, data_type: 'uint16', spatial_resolution: 20, scale: one.scale, offset: 0 },
      ],
      roles: ['data'],
    },
  }));
  const visual = {
    href: href('TCI.tif'),
    type: COG_TYPE,
    title: 'True color image',
    'eo:bands': [3, 2, 1].map((index) => toEo(MSI_BANDS[index]!)),
    gsd: 10,
    ...toProjection(tile, 10),
    'raster:bands': [1, 2, 3].map(() => ({ nodata: 0, data_type: 'uint8', spatial_resolution: 10 })),
    roles: ['visual'],
  };
  const jp2 = (file: string): string => place.toS3(JP2_BUCKET, `${tiles}/${file}.jp2`);
  return {
    ...Object.fromEntries(
      [...bands, ...others].map((one) => [one.key, { href: href(`${one.file}.tif`), ...one.asset }]),
    ),
    visual,
    thumbnail: {
      href: href(isC1 ? 'L2A_PVI.jpg' : 'thumbnail.jpg'),
      type: 'image/jpeg',
      title: 'Thumbnail of preview image',
      roles: ['thumbnail'],
    },
    granule_metadata: { href: href('granule_metadata.xml'), type: 'application/xml', roles: ['metadata'] },
    tileinfo_metadata: {
      href: href('tileinfo_metadata.json'),
      type: 'application/json',
      roles: ['metadata'],
    },
    // Collection 1 has no twins of the provider's bucket.
    ...(isC1
      ? {}
      : Object.fromEntries(
          [...bands, ...others].map(({ key: name, file, asset }) => {
            const [band] = asset['raster:bands'];
            return [
              `${name}-jp2`,
              {
                href: jp2(`R${asset.gsd}m/${file}`),
                ...asset,
                type: 'image/jp2',
                'raster:bands': [{ ...band, bits_per_sample: 15 }],
              },
            ];
          }),
        )),
  };
}

function toFiles(scene: Sentinel2Scene, isC1: boolean, { host, key }: Paths): ReadonlyMap<string, MakeFile> {
  const stored = isC1 && hasOffset(scene) ? MSI_OFFSET : MSI_PLAIN;
  const at = (file: string): string => toFilePath(host, `${key}/${file}`);
  const files: readonly (readonly [string, MakeFile])[] = [
    ...MSI_BANDS.map(
      ({ name, meaning, pixelM }) =>
        [`${name}.tif`, () => makeMsiCog(scene, pixelM, { kind: 'reflectance', meaning, stored })] as const,
    ),
    ...OTHERS.map(({ file, content }) => [`${file}.tif`, () => makeMsiCog(scene, 20, content)] as const),
    ['TCI.tif', () => makeMsiCog(scene, 10, { kind: 'colours' })],
    [isC1 ? 'L2A_PVI.jpg' : 'thumbnail.jpg', makePicture],
    ['tileinfo_metadata.json', () => makeTextFile('{}', 'application/json')],
  ];
  return new Map(files.map(([file, make]) => [at(file), make]));
}
