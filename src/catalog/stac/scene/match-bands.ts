import type { Band, Sensor } from '../../../sensors/index.ts';
import { findBand } from '../../../sensors/index.ts';
import type { StacBand } from '../../item/band.ts';
import type { StacAsset, StacItem } from '../../item/item.ts';
import { bandSpellings, multiBandKinds, naipBands, rolesByCommonName } from './band-names.ts';
import type { ItemKind } from './collections.ts';

/** A file that holds a band of the sensor. */
export interface BandAsset {
  readonly band: Band;
  readonly asset: StacAsset;
  readonly bandIndex: number;
  /** What the item says about it; null when it says nothing. */
  readonly stated: StacBand | null;
}

const IMAGE_TYPE =
  /^image\/(?:tiff|tif|geotiff|jp2|jpx|vnd\.stac\.geotiff|x\.geotiff|x-geotiff)$|^application\/x?-?geotiff$/;
const IMAGE_NAME = /\.(?:tif|tiff|jp2)$/i;
const OTHER_ROLES = ['thumbnail', 'overview', 'metadata', 'visual'];

/** The files of an item by the band they hold; of several with one band the best comes first. */
export function matchBands(
  item: StacItem,
  { kind, sensor }: { readonly kind: ItemKind; readonly sensor: Sensor },
): ReadonlyMap<string, readonly BandAsset[]> {
  const found = item.assets.filter(isImage).flatMap((asset) => matchAsset(asset, kind, sensor));
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

/** Small pixels first; then TIFF, of which a part is read sooner than of JPEG 2000. */
const rank = ({ asset, stated }: BandAsset): number => {
  const pixels = stated?.gsd ?? Number(/_(\d{2})m$/.exec(asset.key)?.[1] ?? 0);
  return pixels + (/jp2/.test(asset.type) || asset.key.endsWith('-jp2') ? 1e6 : 0);
};

function matchAsset(asset: StacAsset, kind: ItemKind, sensor: Sensor): BandAsset[] {
  if (multiBandKinds.includes(kind)) return matchPicture(asset, sensor);
  if (asset.bands.length > 1) return [];
  const stated = asset.bands[0] ?? null;
  const band = findOne(asset, stated, { kind, sensor });
  return band === null ? [] : [{ band, asset, bandIndex: 0, stated }];
}

function matchPicture(asset: StacAsset, sensor: Sensor): BandAsset[] {
  const names = asset.bands.map(({ commonName, name }) => commonName ?? name ?? '');
  const isNamed = names.some((name) => name !== '');
  return (isNamed ? names : naipBands).flatMap((name, bandIndex) => {
    const band = findBand(sensor, name);
    return band === null ? [] : [{ band, asset, bandIndex, stated: asset.bands[bandIndex] ?? null }];
  });
}

/** By the name of the band, of the asset, of the file, then by what the band measures. */
function findOne(
  { key, hrefs }: StacAsset,
  stated: StacBand | null,
  { kind, sensor }: { readonly kind: ItemKind; readonly sensor: Sensor },
): Band | null {
  const file = pathOf(hrefs[0]!).split('/').at(-1)!.replace(IMAGE_NAME, '');
  for (const name of [stated?.name ?? '', key, file]) {
    for (const { pattern, band } of bandSpellings[kind]) {
      const matched = pattern.exec(name);
      const known = matched === null ? null : findBand(sensor, band.replace('$1', matched[1] ?? ''));
      if (known !== null) return known;
    }
  }
  return findByMeaning(stated, sensor) ?? findBand(sensor, key);
}

/** How far a stated wavelength may be from the sensor's: catalogs round to hundredths of a micrometre. */
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
