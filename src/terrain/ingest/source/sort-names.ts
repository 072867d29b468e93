import { lastPart, parseCopernicusName } from './copernicus.ts';
import type { LeftOut } from './dem-source.ts';

/** Images among files, and those that hold something other than heights. */
export interface SortedNames<File> {
  readonly images: readonly File[];
  readonly skipped: readonly LeftOut[];
}

/**
 * Finds the GeoTIFFs among files by their names. The Copernicus DEM has masks and error estimates next to its heights,
 * which are left out; hidden files are ignored, as copies from a Mac have one of each image.
 */
export function sortNames<File extends { readonly name: string }>(files: readonly File[]): SortedNames<File> {
  const tiffs = files.filter(({ name }) => /^[^.].*\.tiff?$/i.test(lastPart(name)));
  const isHeights = ({ name }: File): boolean => {
    const layer = parseCopernicusName(lastPart(name))?.layer;
    return layer === undefined || layer === 'DEM';
  };
  return {
    images: tiffs.filter(isHeights),
    skipped: tiffs
      .filter((file) => !isHeights(file))
      .map(({ name }) => ({
        name,
        code: 'not-heights',
        reason: 'The file belongs to the Copernicus DEM and holds a mask or errors, not heights.',
      })),
  };
}
