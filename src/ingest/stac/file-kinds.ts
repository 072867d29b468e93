/**
 * Kinds of files: the bands of 10 m of a catalog have the same type and the same overviews in every scene. What the
 * header of one of them says holds for the others, together with the size and the place that their items state.
 */
import { makeTtlCache } from '../../async/index.ts';
import type { Asset } from '../../catalog/index.ts';
import { isSwathError } from '../../errors.ts';

/** What the files of a kind have in common besides what their items state. */
type FileKind = Pick<Asset, 'type' | 'nodata' | 'overviews'>;

/** The asset of a file, read from its header or known by its kind. */
export interface FileKinds {
  /**
   * The asset of a file of which an item states all but the overviews. Reads its header if no file of its kind is known,
   * or if files of its kind differ from what their items state. An asset that is known by its kind has no stamps: the
   * file is compared with it when it is opened.
   */
  find(file: StatedFile, read: () => Promise<Asset>): Promise<Asset>;
}

/** A file as its item states it. */
export interface StatedFile {
  readonly asset: Asset;
  /** Other properties that files of a kind have in common, such as the collection. */
  readonly traits: readonly (string | number | null)[];
}

/** Sizes of Landsat scenes differ from each other: a few kinds each. */
const MOST_KINDS = 10_000;
/** After this time the header of a file is read again, because providers change how they write files. */
const KNOWN_MS = 3_600_000;

/** Builds the memory of kinds. */
export function makeFileKinds(nowMs: () => number = () => performance.now()): FileKinds {
  const kinds = makeTtlCache<FileKind | null>({
    nowMs,
    freshMs: KNOWN_MS,
    absentMs: KNOWN_MS,
    max: MOST_KINDS,
  });
  return {
    async find({ asset, traits }, read) {
      let own: Promise<Asset> | null = null;
      const learn = async (): Promise<FileKind | null> => {
        own = read();
        return toKind(asset, await own);
      };
      const kind = await kinds.find(toKey(asset, traits), learn).catch((error: unknown) => {
        // The file of another scene is broken, which says nothing about this one.
        if (own !== null || !isSwathError(error)) throw error;
        return null;
      });
      if (own !== null) return own;
      return kind === null ? read() : { ...asset, ...kind };
    },
  };
}

/** Files whose bytes come from the same place, with pixels of the same size, are written in the same way. */
function toKey(
  { href, width, height, transform, type, nodata }: Asset,
  traits: StatedFile['traits'],
): string {
  const origin = /^\w+:\/\/[^/]*/.exec(href)?.[0] ?? '';
  const extension = /\.\w{1,8}(?=$|\?)/.exec(href)?.[0] ?? '';
  const [, a, b, , d, e] = transform;
  return JSON.stringify([origin, extension, width, height, a, b, d, e, type, nodata, traits]);
}

/** What other files of the kind have in common with this one; null if its header says anything that its item does not. */
function toKind(stated: Asset, read: Asset): FileKind | null {
  const { type, nodata, overviews } = read;
  // Nobody would notice at the next file that these are missing.
  if (overviews.length === 0) return null;
  const { stamps: _, ...found } = read;
  const isAsStated = isEqual(found, { ...stated, type, nodata, overviews });
  return isAsStated ? { type, nodata, overviews } : null;
}

function isEqual(one: Asset, other: Asset): boolean {
  const names = Object.keys({ ...one, ...other }) as (keyof Asset)[];
  return names.every((name) => JSON.stringify(one[name]) === JSON.stringify(other[name]));
}
