/**
 * The files of a scene as lists of scenes show them. Files of a dataset are alike but for where they lie: what they share is
 * text that is compared and read once for many scenes, because a page of a few hundred has thousands of files.
 */
import { hash } from 'node:crypto';
import { makeLru } from '../lru.ts';
import type { Asset, NewScene } from './scene.ts';

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

/** Files as a store keeps them beside a record: the layout apart, because thousands of scenes share it. */
export interface StoredFiles {
  /** The same object for scenes that are alike and follow each other. */
  readonly layout: StoredLayout;
  readonly places: string;
}

/** A layout under its hash. */
interface StoredLayout {
  readonly id: string;
  readonly text: string;
}

/** Layouts that are kept. Datasets have a few, in some reference systems each: UTM has 120. */
const MAX_LAYOUTS = 2_048;

type Assets = NewScene['assets'];

/**
 * Builds the function that lists the files of many scenes, as `listFiles` does of their JSON. Files that are like those of a
 * scene before need no JSON: comparing them takes a tenth of the time that splitting their text does.
 */
export function makeListFiles(): (dataset: string, assets: Assets, toJson: () => string) => StoredFiles {
  const known = makeLru<KnownLayout>({ max: MAX_LAYOUTS });
  return (dataset, assets, toJson) => {
    const given = Object.keys(assets);
    const key = `${dataset} ${assets[given[0] as string]?.epsg}`;
    const last = known.get(key);
    const isAlike =
      last !== undefined &&
      last.names.length === given.length &&
      last.names.every((name) => Object.hasOwn(assets, name) && areAlike(last.like[name], assets[name]));
    if (isAlike) return { layout: last.layout, places: writePlaces(last.names, assets) };
    const { layout: text, places } = listFiles(toJson());
    const layout = { id: hash('sha256', text, 'base64url').slice(0, 22), text };
    known.set(key, { like: assets, layout, names: Object.keys(JSON.parse(text) as object) });
    return { layout, places };
  };
}

/** A layout, and the files that had it first. */
interface KnownLayout {
  readonly like: Assets;
  readonly layout: StoredLayout;
  /** In the order of the JSON. */
  readonly names: readonly string[];
}

/** Whether two files have the same text in a layout. */
function areAlike(some: Asset | undefined, other: Asset | undefined): boolean {
  if (some === undefined || other === undefined) return false;
  let left = 0;
  for (const name in some) if (some[name as keyof Asset] !== undefined) left += 1;
  for (const name in other) {
    const value = other[name as keyof Asset];
    if (value === undefined) continue;
    left -= 1;
    const like = some[name as keyof Asset];
    if (value !== like && !isLike(name, like, value)) return false;
  }
  return left === 0;
}

/** Whether two unequal values of a file have the same text in a layout. */
function isLike(name: string, some: unknown, other: unknown): boolean {
  switch (name) {
    case 'width':
    case 'height':
      return Number.isInteger(some) && Number.isInteger(other);
    case 'href':
      return toExtension(some as string) === toExtension(other as string);
    case 'transform':
      return [1, 2, 4, 5].every((i) => (some as Asset['transform'])[i] === (other as Asset['transform'])[i]);
    case 'overviews':
    case 'stamps':
      return Array.isArray(some) && Array.isArray(other);
    case 'lattice':
      return some !== undefined;
    default:
      return JSON.stringify(some) === JSON.stringify(other);
  }
}

/** Where files lie, as `listFiles` finds it in their JSON. */
function writePlaces(names: readonly string[], assets: Assets): string {
  let [written, last] = ['', ''];
  for (const [i, name] of names.entries()) {
    const { transform, width, height } = assets[name] as Asset;
    const place = `${transform[0]},${transform[3]},${width},${height}`;
    written += `${i === 0 ? '' : ';'}${place === last ? '' : place}`;
    last = place;
  }
  return written;
}
