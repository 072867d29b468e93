import { isSwathError, notAllowed } from '../../../errors.ts';
import { toShownAddress } from '../../../net/index.ts';
import type { ListedObject } from '../../../sources/index.ts';
import type { DemSource, FoundImage, SourceDoors } from './dem-source.ts';
import { isTileListName, readListLines, toTiles } from './read-list.ts';
import { sortNames } from './sort-names.ts';

/** Finds the images of a bucket below a prefix. */
export async function findInBucket(
  from: string,
  doors: SourceDoors,
  signal: AbortSignal | undefined,
): Promise<DemSource> {
  const found: (ListedObject & { readonly name: string })[] = [];
  try {
    for await (const page of doors.listBucket(from, signal)) {
      for (const object of page) {
        // Of millions of objects only these are remembered.
        if (/\.(?:tiff?|txt)$/i.test(object.key)) found.push({ ...object, name: object.key });
      }
    }
  } catch (error) {
    throw toNamedRefusal(from, error);
  }
  const { images, skipped } = sortNames(found);
  const list = found.find(({ href }) => isTileListName(href.slice(from.length).replace(/^\//, '')));
  return {
    items: images.map(
      ({ name, href, version }): FoundImage => ({
        kind: 'image',
        name,
        address: href,
        version,
        sidecars: null,
      }),
    ),
    skipped,
    faults: [],
    tileList: list === undefined ? null : toTiles(await readListLines(list.href, doors, signal)),
    scope: { below: from },
    label: from.replace(/\/+$/, '').split('/').at(-1) ?? '',
  };
}

/** The guarded door refuses every address in the same words; an operator gets the bucket and the remedy. */
function toNamedRefusal(from: string, error: unknown): unknown {
  if (!isSwathError(error) || error.code !== 'address-not-allowed') return error;
  const why = error.cause instanceof Error ? ` (${error.cause.message})` : '';
  return notAllowed(
    error.code,
    `${toShownAddress(from)} may not be read${why}. SWATH_SOURCES names the buckets, here and for the server, which opens the files later.`,
    { cause: error },
  );
}
