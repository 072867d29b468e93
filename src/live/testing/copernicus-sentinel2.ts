import type { FilePlace, MadeItem, MakeFile } from './made-item.ts';
import { digits, toBbox, toExtensions, toFilePath } from './made-item.ts';
import { TILE_M } from './mgrs-tiles.ts';
import type { MsiContent, Sentinel2Choice, Sentinel2Scene } from './sentinel2-scene.ts';
import {
  hasOffset,
  MSI_BANDS,
  MSI_OFFSET,
  MSI_PLAIN,
  makeMsiJp2,
  makeSentinel2Scene,
  toProjection,
} from './sentinel2-scene.ts';
import { makeTextFile } from './virtual-file.ts';

const BUCKET = 'eodata';

/** Sentinel-2 L2A as the Copernicus Data Space has it: STAC 1.1, JPEG 2000 on S3 with keys, each band in several sizes. */
export function makeCopernicusSentinel2(choice: Sentinel2Choice, place: FilePlace): MadeItem {
  const scene = makeSentinel2Scene(choice);
  const { tile, day, names } = scene;
  const name = tile.name.padStart(5, '0');
  const safe = `Sentinel-2/MSI/L2A/${day.replaceAll('-', '/')}/${names.product}.SAFE`;
  const granule = `GRANULE/L2A_T${name}_A${String(scene.absoluteOrbit).padStart(6, '0')}_${names.strip}`;
  const images = listImages(scene).map((image) => {
    const file = `T${name}_${names.start}_${image.name}_${image.pixelM}m.jp2`;
    return { ...image, file, key: `${safe}/${granule}/IMG_DATA/R${image.pixelM}m/${file}` };
  });
  const uuid = digits(32, names.product).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  const odata = `https://download.dataspace.copernicus.eu/odata/v1/Products(${uuid})`;
  const box = [tile.west, tile.north - TILE_M, tile.west + TILE_M, tile.north];
  return {
    head: {
      type: 'Feature',
      stac_version: '1.1.0',
      stac_extensions: toExtensions(
        ...['authentication/v1.1.0', 'eo/v2.0.0', 'file/v2.1.0', 'grid/v1.1.0', 'processing/v1.2.0'],
        ...['product/v0.1.0', 'projection/v2.0.0', 'raster/v2.0.0', 'sat/v1.1.0', 'storage/v2.0.0'],
        ...['view/v1.0.0', 'alternate-assets/v1.2.0'],
      ),
      id: names.product,
      collection: 'sentinel-2-l2a',
      geometry: tile.footprint,
      bbox: toBbox(tile.footprint),
      properties: toProperties(scene),
    },
    links: [],
    assets: () =>
      Object.fromEntries([
        ...images.map(({ name: band, pixelM, file, key, stated }) => [
          `${band}_${pixelM}m`,
          {
            gsd: pixelM,
            href: place.toS3(BUCKET, key),
            type: 'image/jp2',
            title: `${band} - ${pixelM}m`,
            'auth:refs': ['s3'],
            'proj:bbox': box,
            'proj:code': `EPSG:${tile.epsg}`,
            ...toProjection(tile, pixelM),
            'file:local_path': `${names.product}.SAFE/${granule}/IMG_DATA/R${pixelM}m/${file}`,
            'storage:refs': ['cdse-s3', 'creodias-s3'],
            'alternate:name': 'S3',
            alternate: {
              https: {
                href: `${odata}/Nodes(${names.product}.SAFE)/Nodes(GRANULE)/Nodes(IMG_DATA)/Nodes(R${pixelM}m)/Nodes(${file})/$value`,
                'auth:refs': ['oidc'],
                'storage:refs': [],
                'alternate:name': 'HTTPS',
              },
            },
            ...stated,
          },
        ]),
        [
          'safe_manifest',
          {
            href: place.toS3(BUCKET, `${safe}/manifest.safe`),
            type: 'application/xml',
            roles: ['metadata'],
            'auth:refs': ['s3'],
          },
        ],
        [
          'Product',
          {
            href: `${odata}/$value`,
            type: 'application/zip',
            roles: ['data', 'metadata', 'archive'],
            title: 'Zipped product',
            'auth:refs': ['oidc'],
          },
        ],
      ]),
    files: () =>
      new Map<string, MakeFile>([
        ...images.map(
          ({ key, pixelM, content }) =>
            [toFilePath(BUCKET, key), () => makeMsiJp2(scene, pixelM, content)] as const,
        ),
        [toFilePath(BUCKET, `${safe}/manifest.safe`), () => makeTextFile('<safe/>', 'application/xml')],
      ]),
  };
}

interface Image {
  readonly name: string;
  readonly pixelM: number;
  readonly content: MsiContent;
  /** What the asset says about its band. */
  readonly stated: Record<string, unknown>;
}

/** Bands are there in their own size and in the larger ones. */
function listImages(scene: Sentinel2Scene): readonly Image[] {
  const stored = hasOffset(scene) ? MSI_OFFSET : MSI_PLAIN;
  const bands = MSI_BANDS.flatMap((one) =>
    ([10, 20, 60] as const)
      // The provider leaves out the broad infrared band where the narrow one is.
      .filter((pixelM) => pixelM >= one.pixelM && (one.name !== 'B08' || pixelM === 10))
      .map((pixelM) => ({
        name: one.name,
        pixelM,
        content: { kind: 'reflectance', meaning: one.meaning, stored } as const,
        stated: {
          roles: [
            'data',
            'reflectance',
            ...(pixelM === one.pixelM ? ['sampling:original'] : ['sampling:downsampled']),
          ],
          nodata: 0,
          data_type: 'uint16',
          'raster:scale': stored.scale,
          'raster:offset': stored.offset,
          bands: [
            {
              name: one.name,
              description: one.title,
              'eo:common_name': one.commonName,
              'eo:center_wavelength': one.centreUm,
              'eo:full_width_half_max': one.widthUm,
            },
          ],
        },
      })),
  );
  const classes = ([20, 60] as const).map((pixelM) => ({
    name: 'SCL',
    pixelM,
    content: { kind: 'classes' } as const,
    stated: { roles: ['data'], nodata: 0, data_type: 'uint8' },
  }));
  const colours = {
    name: 'TCI',
    pixelM: 10,
    content: { kind: 'colours' } as const,
    stated: {
      roles: ['visual'],
      data_type: 'uint8',
      bands: ['red', 'green', 'blue'].map((name, i) => ({
        name: ['B04', 'B03', 'B02'][i],
        'eo:common_name': name,
      })),
    },
  };
  return [...bands, ...classes, colours];
}

function toProperties(scene: Sentinel2Scene): Record<string, unknown> {
  const { tile, cloud, names, satellite, baseline, updated } = scene;
  const at = new Date(scene.atMs).toISOString().replace('Z', '000Z');
  return {
    gsd: 10,
    created: updated,
    updated,
    published: updated,
    expires: '9999-12-31T23:59:59.999999Z',
    datetime: at,
    start_datetime: at,
    end_datetime: at,
    platform: satellite.replace('S2', 'sentinel-2').toLowerCase(),
    constellation: 'sentinel-2',
    instruments: ['msi'],
    'grid:code': `MGRS-${tile.name.padStart(5, '0')}`,
    'eo:cloud_cover': cloud,
    'eo:snow_cover': 0,
    'product:type': 'S2MSI2A',
    'product:timeliness': 'PT24H',
    'product:timeliness_category': 'NRT',
    'processing:level': 'L2',
    'processing:version': baseline,
    'processing:facility': 'ESA',
    'processing:datetime': new Date(scene.atMs + 10_800_000).toISOString(),
    'sat:orbit_state': 'descending',
    'sat:absolute_orbit': scene.absoluteOrbit,
    'sat:relative_orbit': scene.relativeOrbit,
    'view:sun_azimuth': scene.sunAzimuthDeg,
    'view:sun_elevation': scene.sunElevationDeg,
    'eopf:datatake_id': names.datatake,
    'eopf:datastrip_id': names.datastrip,
    'eopf:instrument_mode': 'INS-NOBS',
    'auth:schemes': {
      s3: { type: 's3' },
      oidc: {
        type: 'openIdConnect',
        openIdConnectUrl:
          'https://identity.dataspace.copernicus.eu/auth/realms/CDSE/.well-known/openid-configuration',
      },
    },
    'storage:schemes': {
      'cdse-s3': {
        type: 'custom-s3',
        title: 'Copernicus Data Space Ecosystem S3',
        platform: 'https://eodata.dataspace.copernicus.eu',
        requester_pays: false,
      },
    },
    statistics: { water: (100 - cloud) / 4, vegetation: (100 - cloud) / 2, nodata: 0 },
  };
}
