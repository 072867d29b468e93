/** Items as public catalogs write them, with made-up numbers; only for tests. */

type Item = Record<string, unknown> & {
  properties: Record<string, unknown>;
  assets: Record<string, Record<string, unknown>>;
};

interface ItemParts {
  readonly id: string;
  readonly collection?: string;
  readonly box: readonly [west: number, south: number, east: number, north: number];
  readonly properties: Record<string, unknown>;
  readonly assets: Record<string, Record<string, unknown>>;
}

/** Makes an item of its parts. */
export function makeItem({ id, collection, box, properties, assets }: ItemParts): Item {
  const [west, south, east, north] = box;
  const ring = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
  return {
    type: 'Feature',
    stac_version: '1.0.0',
    id,
    ...(collection === undefined ? {} : { collection }),
    geometry: { type: 'Polygon', coordinates: [ring] },
    bbox: [...box],
    properties,
    links: [],
    assets,
  };
}

const HOST = 'https://sentinel-cogs.s3.us-west-2.amazonaws.com';

/** Sentinel-2 L2A as Earth Search has it: tile 31TDH of a day. */
export function earthSearchItem(
  day: number,
  more: { readonly cloud?: number; readonly host?: string; readonly baseline?: string } = {},
): Item {
  const { cloud = 10, host = HOST, baseline = '04.00' } = more;
  const date = `2022-06-${String(day).padStart(2, '0')}`;
  const id = `S2B_31TDH_${date.replaceAll('-', '')}_0_L2A`;
  const folder = `${host}/sentinel-s2-l2a-cogs/31/T/DH/2022/6/${id}`;
  const band = (file: string, size: number, gsd: number, name?: string) => ({
    href: `${folder}/${file}.tif`,
    type: 'image/tiff; application=geotiff; profile=cloud-optimized',
    roles: ['data', 'reflectance'],
    gsd,
    'proj:shape': [size, size],
    'proj:transform': [gsd, 0, 399960, 0, -gsd, 4700040],
    'raster:bands': [
      { nodata: 0, data_type: 'uint16', scale: 0.0001, offset: -0.1, spatial_resolution: gsd },
    ],
    ...(name === undefined ? {} : { 'eo:bands': [{ name, common_name: name }] }),
  });
  return makeItem({
    id,
    collection: 'sentinel-2-l2a',
    box: [1.8, 41.5, 3.1, 42.4],
    properties: {
      datetime: `${date}T10:56:21.123000Z`,
      created: '2022-07-01T00:00:00Z',
      platform: 'sentinel-2b',
      'eo:cloud_cover': cloud,
      'proj:epsg': 32631,
      'grid:code': 'MGRS-31TDH',
      'view:sun_elevation': 66.5,
      'view:sun_azimuth': 142.25,
      's2:nodata_pixel_percentage': 1.25,
      's2:processing_baseline': baseline,
      's2:product_type': 'S2MSI2A',
      's2:product_uri': `S2B_MSIL2A_${date.replaceAll('-', '')}T105619_N0400_R051_T31TDH_20220701T000000.SAFE`,
      's2:generation_time': '2022-07-01T00:00:00.000000Z',
      'earthsearch:boa_offset_applied': true,
    },
    assets: {
      red: band('B04', 10980, 10, 'red'),
      nir08: band('B8A', 5490, 20, 'nir08'),
      scl: {
        ...band('SCL', 5490, 20),
        'raster:bands': [{ nodata: 0, data_type: 'uint8', spatial_resolution: 20 }],
      },
      visual: {
        ...band('TCI', 10980, 10),
        'eo:bands': [{ name: 'red' }, { name: 'green' }, { name: 'blue' }],
      },
      thumbnail: { href: `${folder}/thumbnail.jpg`, type: 'image/jpeg', roles: ['thumbnail'] },
      'red-jp2': { href: 's3://sentinel-s2-l2a/tiles/31/T/DH/2022/6/1/0/R10m/B04.jp2', type: 'image/jp2' },
    },
  });
}

/** NAIP as the Planetary Computer has it: one file of four bands. */
export function naipItem(number: number, host = 'https://naipeuwest.blob.core.windows.net'): Item {
  const scene = `m_30085${String(number).padStart(2, '0')}_ne_16_060_20191014`;
  return makeItem({
    id: `al_${scene}`,
    collection: 'naip',
    box: [-85.94 + number / 100, 30.93, -85.87 + number / 100, 31.01],
    properties: {
      datetime: '2019-10-14T00:00:00Z',
      'naip:state': 'al',
      'naip:year': '2019',
      'proj:epsg': 26916,
      'proj:shape': [12680, 11230],
      'proj:transform': [0.6, 0, 601183.5 + number * 1000, 0, -0.6, 3430444.8, 0, 0, 1],
    },
    assets: {
      image: {
        href: `${host}/naip/v002/al/2019/al_60cm_2019/30085/${scene}.tif`,
        type: 'image/tiff; application=geotiff; profile=cloud-optimized',
        roles: ['data'],
        'eo:bands': ['Red', 'Green', 'Blue', 'NIR'].map((name) => ({
          name,
          common_name: name.toLowerCase(),
        })),
      },
    },
  });
}

/** Landsat Collection 2 as USGS has it, with two addresses per file. */
export function landsatItem(level: 'L1TP' | 'L2SP'): Item {
  const name = `LC09_${level}_010065_20220129_20220131_02_T1`;
  const path = `collection02/level-${level[1]}/standard/oli-tirs/2022/010/065/${name}/${name}`;
  const file = (end: string, more: Record<string, unknown> = {}) => ({
    href: `https://landsatlook.usgs.gov/data/${path}_${end}`,
    alternate: { s3: { href: `s3://usgs-landsat/${path}_${end}` } },
    type: 'image/vnd.stac.geotiff; cloud-optimized=true',
    roles: ['data'],
    ...more,
  });
  const sr = level === 'L2SP' ? 'SR_' : '';
  return makeItem({
    id: 'LC09_L1TP_010065_20220129_02_T1'.replace('L1TP', level),
    collection: level === 'L2SP' ? 'landsat-c2-l2' : 'landsat-c2l1',
    box: [-80.9, -8.2, -79.1, -6.3],
    properties: {
      datetime: '2022-01-29T15:28:34.396428Z',
      instruments: ['oli', 'tirs'],
      'eo:cloud_cover': 21.12,
      'view:sun_elevation': 57.8,
      'view:sun_azimuth': 112.2,
      'landsat:scene_id': 'LC90100652022029LGN00',
      'landsat:correction': level,
      'landsat:wrs_path': '010',
      'landsat:wrs_row': '065',
      'proj:epsg': 32617,
      'proj:shape': [7741, 7611],
      'proj:transform': [30, 0, 493485, 0, -30, -683685],
    },
    assets: {
      red: file(`${sr}B4.TIF`, { 'eo:bands': [{ name: 'OLI_B4', common_name: 'red' }] }),
      nir08: file(`${sr}B5.TIF`, { 'eo:bands': [{ name: 'OLI_B5', common_name: 'nir08' }] }),
      pan: file('B8.TIF', { 'eo:bands': [{ name: 'OLI_B8', common_name: 'pan', gsd: 15 }] }),
      lwir11: file(level === 'L2SP' ? 'ST_B10.TIF' : 'B10.TIF', { 'eo:bands': [{ name: 'TIRS_B10' }] }),
      qa_pixel: file('QA_PIXEL.TIF'),
      qa_radsat: file('QA_RADSAT.TIF'),
    },
  });
}

/** Sentinel-1 GRD as stactools writes it, in the folder of its files. */
export const sentinel1Item = (): Item =>
  makeItem({
    id: 'S1A_IW_GRDH_1SDV_20210809T173953_20210809T174018_039156_049F13',
    collection: 'sentinel-1-grd',
    box: [20, 40, 30, 50],
    properties: {
      datetime: '2021-08-09T17:40:05.653288Z',
      start_datetime: '2021-08-09T17:39:53.153776Z',
      end_datetime: '2021-08-09T17:40:18.152800Z',
      'sar:product_type': 'GRD',
      'sat:orbit_state': 'ascending',
      'sat:absolute_orbit': 39156,
      's1:product_identifier': 'S1A_IW_GRDH_1SDV_20210809T173953_20210809T174018_039156_049F13_6FF8',
      'proj:epsg': 4326,
      'proj:shape': [26144, 16676],
      'proj:transform': [0.0002, 0, 1.5, 0, -0.0001, 46.4],
    },
    assets: { vv: { href: './measurement/iw-vv.tiff', type: 'image/tiff', roles: ['data'] } },
  });

/** MODIS as the Planetary Computer has it: a sinusoidal grid without a code. */
export const modisItem = (): Item =>
  makeItem({
    id: 'MCD43A4.A2022073.h18v04.061',
    collection: 'modis-43A4-061',
    box: [0, 40, 15.5, 50],
    properties: {
      datetime: null,
      start_datetime: '2022-03-06T00:00:00Z',
      end_datetime: '2022-03-21T23:59:59Z',
      'proj:epsg': null,
      'proj:wkt2': SINUSOIDAL,
      'proj:shape': [2400, 2400],
      'proj:transform': [463.3127, 0, 0, 0, -463.3127, 5559752.6],
    },
    assets: Object.fromEntries(
      [1, 2].flatMap((number) =>
        [`Nadir_Reflectance_Band${number}`, `BRDF_Albedo_Band_Mandatory_Quality_Band${number}`].map(
          (name) => [
            name,
            {
              href: `https://modiseuwest.blob.core.windows.net/modis-061-cogs/MCD43A4.A2022073.h18v04.061.2022082044758_${name}.tif?st=2026&se=2027&sp=rl&sig=c2VjcmV0`,
              type: 'image/tiff; application=geotiff; profile=cloud-optimized',
              roles: ['data'],
            },
          ],
        ),
      ),
    ),
  });

const SINUSOIDAL =
  'PROJCRS["unnamed",BASEGEOGCRS["sphere",DATUM["sphere",ELLIPSOID["sphere",6371007.181,0,LENGTHUNIT["metre",1]]],' +
  'PRIMEM["Greenwich",0,ANGLEUNIT["degree",0.0174532925199433]]],CONVERSION["unnamed",METHOD["Sinusoidal"],' +
  'PARAMETER["Longitude of natural origin",0,ANGLEUNIT["degree",0.0174532925199433]],' +
  'PARAMETER["False easting",0,LENGTHUNIT["metre",1]],PARAMETER["False northing",0,LENGTHUNIT["metre",1]]],' +
  'CS[Cartesian,2],AXIS["easting",east,ORDER[1],LENGTHUNIT["metre",1]],' +
  'AXIS["northing",north,ORDER[2],LENGTHUNIT["metre",1]]]';
