import type { Band, BandRole, Sensor } from '../../../sensors/index.ts';
import { findBand } from '../../../sensors/index.ts';
import type { ItemRules } from '../../families/family.ts';
import type { BandSource } from '../../families/scene-facts.ts';
import type { StacBand } from '../../item/band.ts';
import type { StacAsset, StacItem } from '../../item/item.ts';

/** A file that holds a band of the sensor. */
export interface BandAsset extends BandSource {
  readonly asset: StacAsset;
  readonly bandIndex: number;
}

/** Common names of the EO extension and their possible roles, the likeliest first; the wavelength decides. */
const rolesByCommonName: Readonly<Record<string, readonly BandRole[]>> = {
  coastal: ['COASTAL'],
  blue: ['BLUE'],
  green: ['GREEN'],
  red: ['RED'],
  rededge: ['REDEDGE1', 'REDEDGE2', 'REDEDGE3'],
  rededge071: ['REDEDGE1'],
  rededge075: ['REDEDGE2'],
  rededge078: ['REDEDGE3'],
  pan: ['PAN'],
  nir: ['NIR', 'NIR2'],
  nir08: ['NIR2', 'NIR'],
  nir09: ['WATERVAPOUR'],
  cirrus: ['CIRRUS'],
  swir16: ['SWIR1'],
  swir22: ['SWIR2'],
  lwir: ['THERMAL1'],
  lwir11: ['THERMAL1'],
  lwir12: ['THERMAL2'],
};

const IMAGE_TYPE =
  /^image\/(?:tiff|tif|geotiff|jp2|jpx|vnd\.stac\.geotiff|x\.geotiff|x-geotiff)$|^application\/x?-?geotiff$/;
const IMAGE_NAME = /\.(?:tif|tiff|jp2)$/i;
const OTHER_ROLES = ['thumbnail', 'overview', 'metadata', 'visual'];

interface Matching {
  readonly rules: ItemRules;
  readonly sensor: Sensor;
}

/** The files of an item by band; of several files of one band the best comes first. */
export function matchBands(
  item: StacItem,
  { rules, sensor }: Matching,
): ReadonlyMap<string, readonly BandAsset[]> {
  const found = item.assets.filter(isImage).flatMap((asset) => matchAsset(asset, { rules, sensor }));
  const groups = Map.groupBy(found, ({ band }) => band.name);
  return new Map(
    sensor.bands.flatMap(({ name }) => {
      const group = groups.get(name);
      return group === undefined ? [] : [[name, group.toSorted((a, b) => rank(a) - rank(b))] as const];
    }),
  );
}

function isImage({ type, hrefs, roles }: StacAsset): boolean {
  if (roles.some((role) => OTHER_ROLES.includes(role)) && !roles.includes('data')) return false;
  return type === '' ? IMAGE_NAME.test(pathOf(hrefs[0]!)) : IMAGE_TYPE.test(type);
}

/** Small pixels first, then TIFF, of which a part is read faster than of JPEG 2000. */
const rank = ({ asset, stated }: BandAsset): number => {
  const pixels = stated?.gsd ?? Number(/_(\d{2})m$/.exec(asset.key)?.[1] ?? 0);
  return pixels + (/jp2/.test(asset.type) || asset.key.endsWith('-jp2') ? 1e6 : 0);
};

function matchAsset(asset: StacAsset, { rules, sensor }: Matching): BandAsset[] {
  const { bandsInImage } = rules;
  if (bandsInImage !== undefined) return matchImage(asset, bandsInImage, sensor);
  // An image of several bands is a composite.
  if (asset.bands.length > 1) return [];
  const stated = asset.bands[0] ?? null;
  const band = findOne(asset, stated, { rules, sensor });
  return band === null ? [] : [{ band, asset, bandIndex: 0, stated }];
}

function matchImage(asset: StacAsset, bandsInImage: readonly string[], sensor: Sensor): BandAsset[] {
  const names = asset.bands.map(({ commonName, name }) => commonName ?? name ?? '');
  const isNamed = names.some((name) => name !== '');
  return (isNamed ? names : bandsInImage).flatMap((name, bandIndex) => {
    const band = findBand(sensor, name);
    return band === null ? [] : [{ band, asset, bandIndex, stated: asset.bands[bandIndex] ?? null }];
  });
}

/** By the name of the band, of the asset, of the file, then by common name and wavelength. */
function findOne(
  { key, hrefs }: StacAsset,
  stated: StacBand | null,
  { rules, sensor }: Matching,
): Band | null {
  const file = pathOf(hrefs[0]!).split('/').at(-1)!.replace(IMAGE_NAME, '');
  for (const name of [stated?.name ?? '', key, file]) {
    for (const { pattern, band } of rules.bandSpellings) {
      const matched = pattern.exec(name);
      const known = matched === null ? null : findBand(sensor, band.replace('$1', matched[1] ?? ''));
      if (known !== null) return known;
    }
  }
  return findByMeaning(stated, sensor) ?? findBand(sensor, key);
}

/** Max difference from the sensor's wavelength: catalogs round to hundredths of a micrometre. */
const WAVELENGTH_SLACK_NM = 15;

function findByMeaning(stated: StacBand | null, { bands }: Sensor): Band | null {
  if (stated === null) return null;
  const { commonName, wavelengthNm } = stated;
  const roles =
    commonName !== null && Object.hasOwn(rolesByCommonName, commonName) ? rolesByCommonName[commonName]! : [];
  const meant = roles.flatMap((role) => bands.find((band) => band.role === role) ?? []);
  const distance = ({ centreNm }: Band) => Math.abs((centreNm ?? Infinity) - (wavelengthNm ?? 0));
  if (meant.length > 0) {
    return wavelengthNm === null ? meant[0]! : meant.toSorted((a, b) => distance(a) - distance(b))[0]!;
  }
  if (wavelengthNm === null) return null;
  const near = bands.filter((band) => distance(band) <= (band.widthNm ?? 0) / 2 + WAVELENGTH_SLACK_NM);
  return near.toSorted((a, b) => distance(a) - distance(b))[0] ?? null;
}

/** Without query and fragment. */
const pathOf = (href: string): string => href.split(/[?#]/)[0]!;
