import { toOpenAddress } from '../metadata/open-address.ts';
import type { StacAsset, StacItem } from './item.ts';

/** Formats that browsers show; they do not show TIFF and JPEG 2000. */
const PICTURE = /^image\/(?:jpeg|jpg|png|webp|gif)$/;
const PICTURE_NAME = /\.(?:jpe?g|png|webp|gif)$/i;

/** The public address of the provider's thumbnail, or of an overview if there is no thumbnail. */
export function thumbnailOf({ assets, self }: StacItem): string | null {
  const small = assets.filter(({ key, roles }) => key === 'thumbnail' || roles.includes('thumbnail'));
  const larger = assets.filter(({ roles }) => roles.includes('overview'));
  const found = [...small, ...larger]
    .filter(isPicture)
    .flatMap(({ hrefs }) => hrefs)
    .map((href) => toOpenAddress(href, self));
  return found.find((href) => href !== null) ?? null;
}

const isPicture = ({ type, hrefs }: StacAsset): boolean =>
  type === '' ? PICTURE_NAME.test(hrefs[0] ?? '') : PICTURE.test(type);
