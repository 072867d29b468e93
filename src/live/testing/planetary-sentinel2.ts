import type { FakeItem, FilePlace, MadeItem, MakeFile } from './made-item.ts';
import { COG_TYPE, toBbox, toExtensions, toFilePath } from './made-item.ts';
import { TILE_M } from './mgrs-tiles.ts';
import type { MsiContent, Sentinel2Choice, Sentinel2Scene } from './sentinel2-scene.ts';
import {
  hasOffset,
  MSI_BANDS,
  MSI_OFFSET,
  MSI_PLAIN,
  makeMsiCog,
  makeSentinel2Scene,
  toProjection,
} from './sentinel2-scene.ts';
import { makeTextFile } from './virtual-file.ts';

const HOST = 'sentinel2l2a01.blob.core.windows.net';

/** Sentinel-2 L2A as the Planetary Computer has it: assets by band, no scale and no offset, files that need a token. */
export function makePlanetarySentinel2(choice: Sentinel2Choice, place: FilePlace): MadeItem {
  const scene = makeSentinel2Scene(choice);
  const { tile, day, names, relativeOrbit, satellite } = scene;
  const [year, month, date] = day.split('-');
  const name = tile.name.padStart(5, '0');
  const orbit = String(relativeOrbit).padStart(3, '0');
  const id = `${satellite}_MSIL2A_${names.start}_R${orbit}_T${name}_${names.made}`;
  const granule = `GRANULE/L2A_T${name}_A${String(scene.absoluteOrbit).padStart(6, '0')}_${names.strip}`;
  const safe = `sentinel2-l2/${name.slice(0, 2)}/${tile.latitudeBand}/${tile.square}/${year}/${month}/${date}/${names.product}.SAFE`;
  const images = listImages(scene).map((image) => ({
    ...image,
    path: `${safe}/${granule}/IMG_DATA/R${image.pixelM}m/T${name}_${names.start}_${image.name}_${image.pixelM}m.tif`,
  }));
  const box = [tile.west, tile.north - TILE_M, tile.west + TILE_M, tile.north];
  return {
    head: {
      type: 'Feature',
      stac_version: '1.0.0',
      stac_extensions: toExtensions('eo/v1.0.0', 'sat/v1.0.0', 'projection/v1.0.0'),
      id,
      collection: 'sentinel-2-l2a',
      geometry: tile.footprint,
      bbox: toBbox(tile.footprint),
      properties: toProperties(scene),
    },
    links: [],
    assets: () => {
      const href = (path: string): string => place.toHttps(HOST, path);
      const bands: FakeItem['assets'] = Object.fromEntries(
        images.map(({ name: key, pixelM, title, eo, path }) => [
          key,
          {
            href: href(path),
            'proj:bbox': box,
            ...toProjection(tile, pixelM),
            type: COG_TYPE,
            roles: ['data'],
            title,
            ...(eo === null ? {} : { 'eo:bands': eo }),
            gsd: pixelM,
          },
        ]),
      );
      return {
        ...bands,
        'granule-metadata': {
          href: href(`${safe}/${granule}/MTD_TL.xml`),
          type: 'application/xml',
          roles: ['metadata'],
          title: 'Granule metadata',
        },
        'safe-manifest': {
          href: href(`${safe}/manifest.safe`),
          type: 'application/xml',
          roles: ['metadata'],
          title: 'SAFE manifest',
        },
        rendered_preview: {
          href: `https://planetarycomputer.microsoft.com/api/data/v1/item/preview.png?collection=sentinel-2-l2a&item=${id}&assets=visual&format=png`,
          rel: 'preview',
          type: 'image/png',
          roles: ['overview'],
          title: 'Rendered preview',
        },
      };
    },
    files: () =>
      new Map<string, MakeFile>([
        ...images.map(
          ({ path, pixelM, content }) =>
            [toFilePath(HOST, path), () => makeMsiCog(scene, pixelM, content)] as const,
        ),
        [toFilePath(HOST, `${safe}/manifest.safe`), () => makeTextFile('<safe/>', 'application/xml')],
      ]),
  };
}

interface Image {
  readonly name: string;
  readonly pixelM: number;
  readonly title: string;
  readonly eo: readonly Record<string, unknown>[] | null;
  readonly content: MsiContent;
}

function listImages(scene: Sentinel2Scene): readonly Image[] {
  const stored = hasOffset(scene) ? MSI_OFFSET : MSI_PLAIN;
  const toEo = (one: (typeof MSI_BANDS)[number]) => ({
    name: one.name,
    // The water vapour band has no common name there.
    ...(one.name === 'B09' ? {} : { common_name: one.commonName === 'nir08' ? 'rededge' : one.commonName }),
    description: `Band ${one.name.slice(1)} - ${one.title}`,
    center_wavelength: one.centreUm,
    full_width_half_max: one.widthUm,
  });
  const other = (name: string, pixelM: number, title: string, content: MsiContent): Image => ({
    name,
    pixelM,
    title,
    eo: null,
    content,
  });
  return [
    other('AOT', 10, 'Aerosol optical thickness (AOT)', { kind: 'constant', value: 120 }),
    ...MSI_BANDS.map((one) => ({
      name: one.name,
      pixelM: one.pixelM,
      title: `Band ${one.name.slice(1)} - ${one.title} - ${one.pixelM}m`,
      eo: [toEo(one)],
      content: { kind: 'reflectance', meaning: one.meaning, stored } as const,
    })),
    other('SCL', 20, 'Scene classfication map (SCL)', { kind: 'classes' }),
    other('WVP', 10, 'Water vapour (WVP)', { kind: 'constant', value: 900 }),
    {
      ...other('visual', 10, 'True color image', { kind: 'colours' }),
      eo: [3, 2, 1].map((index) => toEo(MSI_BANDS[index]!)),
    },
  ];
}

function toProperties(scene: Sentinel2Scene): Record<string, unknown> {
  const { tile, cloud, names, satellite, baseline } = scene;
  return {
    datetime: new Date(scene.atMs).toISOString().replace('Z', '000Z'),
    platform: satellite.replace('S2', 'Sentinel-2'),
    'proj:epsg': tile.epsg,
    instruments: ['msi'],
    's2:mgrs_tile': tile.name.padStart(5, '0'),
    constellation: 'Sentinel 2',
    's2:granule_id': names.granule,
    'eo:cloud_cover': cloud,
    's2:datatake_id': names.datatake,
    's2:product_uri': `${names.product}.SAFE`,
    's2:datastrip_id': names.datastrip,
    's2:product_type': 'S2MSI2A',
    'sat:orbit_state': 'descending',
    's2:datatake_type': 'INS-NOBS',
    's2:generation_time': new Date(scene.atMs + 10_800_000).toISOString(),
    'sat:relative_orbit': scene.relativeOrbit,
    's2:water_percentage': (100 - cloud) / 4,
    's2:mean_solar_zenith': 90 - scene.sunElevationDeg,
    's2:mean_solar_azimuth': scene.sunAzimuthDeg,
    's2:processing_baseline': baseline,
    's2:snow_ice_percentage': 0,
    's2:vegetation_percentage': (100 - cloud) / 2,
    's2:thin_cirrus_percentage': 0,
    's2:cloud_shadow_percentage': 0,
    's2:nodata_pixel_percentage': 0,
    's2:unclassified_percentage': 0,
    's2:dark_features_percentage': 0,
    's2:not_vegetated_percentage': (100 - cloud) / 4,
    's2:degraded_msi_data_percentage': 0,
    's2:high_proba_clouds_percentage': cloud,
    's2:reflectance_conversion_factor': 1,
    's2:medium_proba_clouds_percentage': 0,
    's2:saturated_defective_pixel_percentage': 0,
  };
}
