import type { SunPosition } from '../../light/exposure.ts';
import { earthSunDistanceAu } from '../../light/sun.ts';
import { epsg, frame } from '../../setting.ts';
import type { BandGroup, MsiBand } from './band-groups.ts';
import { ADDED, QUANTIFICATION } from './band-groups.ts';
import { toDataRing, toLonLatRing } from './footprint.ts';
import type { ProductNames } from './names.ts';
import { tile } from './names.ts';
import type { Sentinel2Plan } from './plan.ts';
import { hasOffset } from './plan.ts';
import type { SceneClass } from './scene-classes.ts';

/** What the item says in addition to its names. */
export interface ItemFacts {
  readonly plan: Sentinel2Plan;
  readonly names: ProductNames;
  readonly groups: readonly BandGroup[];
  readonly classPixelM: number;
  readonly percentages: Readonly<Record<SceneClass, number>>;
  readonly sun: SunPosition;
  readonly isOffsetApplied: boolean;
}

/** Names of the assets by band, as the collection `sentinel-2-l2a` of Earth Search has them. */
const ASSETS: Readonly<Record<string, { key: string; title: string; commonName: string }>> = {
  B01: { key: 'coastal', title: 'Coastal aerosol (band 1)', commonName: 'coastal' },
  B02: { key: 'blue', title: 'Blue (band 2)', commonName: 'blue' },
  B03: { key: 'green', title: 'Green (band 3)', commonName: 'green' },
  B04: { key: 'red', title: 'Red (band 4)', commonName: 'red' },
  B05: { key: 'rededge1', title: 'Red edge 1 (band 5)', commonName: 'rededge' },
  B06: { key: 'rededge2', title: 'Red edge 2 (band 6)', commonName: 'rededge' },
  B07: { key: 'rededge3', title: 'Red edge 3 (band 7)', commonName: 'rededge' },
  B08: { key: 'nir', title: 'NIR 1 (band 8)', commonName: 'nir' },
  B8A: { key: 'nir08', title: 'NIR 2 (band 8A)', commonName: 'nir08' },
  B09: { key: 'nir09', title: 'NIR 3 (band 9)', commonName: 'nir09' },
  B11: { key: 'swir16', title: 'SWIR 1 (band 11)', commonName: 'swir16' },
  B12: { key: 'swir22', title: 'SWIR 2 (band 12)', commonName: 'swir22' },
};

const COG = 'image/tiff; application=geotiff; profile=cloud-optimized';
const EXTENSIONS = [
  'mgrs/v1.0.0',
  'view/v1.0.0',
  'raster/v1.1.0',
  'eo/v1.0.0',
  'grid/v1.0.0',
  'projection/v1.0.0',
];

/** The item's id, which names its folder too: `S2A_10UEU_20250621_0_L2A`. */
export function toItemId({ satellite, atMs, sequence }: Sentinel2Plan): string {
  const day = new Date(atMs).toISOString().slice(0, 10).replaceAll('-', '');
  return `${satellite}_${tile.name}_${day}_${sequence}_L2A`;
}

/** The STAC item next to the COGs. */
export function toStacItem(facts: ItemFacts): string {
  const { plan, groups, classPixelM } = facts;
  const ring = toLonLatRing(toDataRing(plan));
  const [lons, lats] = [ring.map(([lon]) => lon), ring.map(([, lat]) => lat)];
  const id = toItemId(plan);
  const item = {
    type: 'Feature',
    stac_version: '1.0.0',
    id,
    properties: toProperties(facts),
    geometry: { type: 'Polygon', coordinates: [ring] },
    links: [{ rel: 'self', href: `./${id}.json`, type: 'application/geo+json' }],
    assets: {
      ...Object.fromEntries(
        groups.flatMap(({ pixelM, bands }) =>
          bands.map((band) => [ASSETS[band.name]!.key, toBandAsset(band, pixelM, facts)]),
        ),
      ),
      scl: {
        href: './SCL.tif',
        type: COG,
        title: 'Scene classification map (SCL)',
        ...toGrid(plan, classPixelM),
        'raster:bands': [{ nodata: 0, data_type: 'uint8', spatial_resolution: classPixelM }],
        roles: ['data'],
      },
      thumbnail: {
        href: './thumbnail.jpg',
        type: 'image/jpeg',
        title: 'Thumbnail image',
        roles: ['thumbnail'],
      },
    },
    bbox: [Math.min(...lons), Math.min(...lats), Math.max(...lons), Math.max(...lats)],
    stac_extensions: EXTENSIONS.map((name) => `https://stac-extensions.github.io/${name}/schema.json`),
    collection: 'sentinel-2-l2a',
  };
  return `${JSON.stringify(item, null, 2)}\n`;
}

function toProperties({ plan, names, percentages, sun, isOffsetApplied }: ItemFacts) {
  const { satellite, baseline, atMs, sequence } = plan;
  const made = new Date(names.madeAtMs).toISOString();
  const { nodata, medium_proba_clouds, high_proba_clouds, thin_cirrus } = percentages;
  const cloudy = medium_proba_clouds + high_proba_clouds + thin_cirrus;
  return {
    created: made,
    platform: satellite.toLowerCase().replace('s2', 'sentinel-2'),
    constellation: 'sentinel-2',
    instruments: ['msi'],
    'eo:cloud_cover': Number(cloudy.toFixed(6)),
    'proj:epsg': epsg,
    'mgrs:utm_zone': tile.zone,
    'mgrs:latitude_band': tile.latitudeBand,
    'mgrs:grid_square': tile.square,
    'grid:code': `MGRS-${tile.name}`,
    'view:sun_azimuth': sun.azimuthDeg,
    'view:sun_elevation': sun.elevationDeg,
    's2:degraded_msi_data_percentage': 0,
    's2:nodata_pixel_percentage': nodata,
    ...Object.fromEntries(
      Object.entries(percentages)
        .filter(([name]) => name !== 'nodata')
        .map(([name, percent]) => [toPercentageName(name), percent]),
    ),
    's2:product_type': 'S2MSI2A',
    's2:processing_baseline': baseline,
    's2:product_uri': `${names.product}.SAFE`,
    's2:generation_time': made,
    's2:datatake_id': names.datatake,
    's2:datatake_type': 'INS-NOBS',
    's2:datastrip_id': names.datastrip,
    's2:granule_id': names.granule,
    's2:reflectance_conversion_factor': Number((1 / earthSunDistanceAu(atMs) ** 2).toFixed(9)),
    datetime: new Date(atMs).toISOString(),
    's2:sequence': String(sequence),
    'earthsearch:boa_offset_applied': isOffsetApplied,
    updated: made,
  };
}

const toPercentageName = (name: string): string =>
  name === 'saturated_defective' ? 's2:saturated_defective_pixel_percentage' : `s2:${name}_percentage`;

function toBandAsset(band: MsiBand, pixelM: number, { plan, isOffsetApplied }: ItemFacts) {
  const { key, title, commonName } = ASSETS[band.name]!;
  const isOffsetStored = hasOffset(plan.baseline) && !isOffsetApplied;
  return {
    href: `./${band.name}.tif`,
    type: COG,
    title: `${title} - ${pixelM}m`,
    'eo:bands': [
      {
        name: key,
        common_name: commonName,
        description: title,
        center_wavelength: Math.round(band.centreNm) / 1000,
        full_width_half_max: band.widthNm / 1000,
      },
    ],
    gsd: pixelM,
    ...toGrid(plan, pixelM),
    'raster:bands': [
      {
        nodata: 0,
        data_type: 'uint16',
        bits_per_sample: 15,
        spatial_resolution: pixelM,
        scale: 1 / QUANTIFICATION,
        offset: isOffsetStored ? -ADDED / QUANTIFICATION : 0,
      },
    ],
    roles: ['data', 'reflectance'],
  };
}

const toGrid = ({ window }: Sentinel2Plan, pixelM: number) => ({
  'proj:shape': [window.height / pixelM, window.width / pixelM],
  'proj:transform': [pixelM, 0, frame.west + window.x, 0, -pixelM, frame.north - window.y],
});
