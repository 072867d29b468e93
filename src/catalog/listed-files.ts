/**
 * The files of a scene as lists of scenes show them. Files of a dataset are alike but for where they lie: what they share is
 * text that is compared and read once for many scenes, because a page of a few hundred has thousands of files.
 */
import type { Asset } from './scene.ts';

/** The files of a scene, in the order of its record. */
export interface ListedFiles {
  /** JSON of the files by band (`ListedFile`). Scenes whose files are alike have equal texts. */
  readonly layout: string;
  /** Where each file lies (`parsePlaces`); text, because threads exchange it. */
  readonly places: string;
}

/** What alike files share. */
export type ListedFile = Pick<Asset, 'epsg' | 'proj' | 'type' | 'nodata' | 'scale' | 'offset'> & {
  /** The extension of the file. */
  readonly href: string;
  /** With 0 as the origin. */
  readonly transform: Asset['transform'];
  /** Empty; absent where an affine places the image. */
  readonly lattice?: object;
};

/** Where a file lies: the origin of its transform and its size, as JSON numbers. */
export type FilePlace = readonly [x: string, y: string, width: string, height: string];

/**
 * Parts of a file that differ from scene to scene, or that only a reader of pixels needs. Quotes inside JSON strings are
 * escaped, so only keys match. Sizes of overviews are matched with their list.
 */
const OWN_PARTS =
  /"(?:(height|width)":(\d+)|href":"((?:[^"\\]|\\.)*)"|transform":\[([^\]]*)\]|(overviews|stamps)":\[(?:"(?:[^"\\]|\\.)*"|[^\]"])*\]|lattice":\{[^}]*\})/g;

/** Splits the JSON of a record's assets. Keys may be in any order. */
export function listFiles(assets: string): ListedFiles {
  const places: string[] = [];
  let [x, y, width, height, last, seen] = ['', '', '', '', '', 0];
  const note = (): void => {
    seen += 1;
    // A file has three such parts.
    if (seen < 3) return;
    const place = `${x},${y},${width},${height}`;
    places.push(place === last ? '' : place);
    [last, seen] = [place, 0];
  };
  const replace = (
    _: string,
    side: string | undefined,
    size: string,
    href: string | undefined,
    affine: string | undefined,
    list: string | undefined,
  ): string => {
    if (side !== undefined) {
      if (side === 'width') width = size;
      else height = size;
      note();
      return `"${side}":0`;
    }
    if (href !== undefined) return `"href":"${toExtension(href)}"`;
    if (affine !== undefined) {
      const [originX, a, b, originY, d, e] = affine.split(',');
      [x, y] = [originX as string, originY as string];
      note();
      return `"transform":[0,${a},${b},0,${d},${e}]`;
    }
    return list === undefined ? '"lattice":{}' : `"${list}":[]`;
  };
  const layout = assets.replace(OWN_PARTS, replace);
  return { layout, places: places.join(';') };
}

/** The extension of an address, which may have a query; empty without one. */
const toExtension = (href: string): string =>
  href.endsWith('.tif') ? '.tif' : (/\.\w{1,8}(?=[?#]|$)/.exec(href)?.[0] ?? '');

/** The places of files, one for each. */
export function parsePlaces(places: string): readonly FilePlace[] {
  let last: FilePlace = ['0', '0', '0', '0'];
  return places.split(';').map((text) => {
    if (text !== '') last = text.split(',') as unknown as FilePlace;
    return last;
  });
}
