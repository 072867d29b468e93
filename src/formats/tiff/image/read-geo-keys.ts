import { isSwathError } from '../../../errors.ts';
import type { ByteSource } from '../../../sources/index.ts';
import { readDirectories } from '../directories/directory-reader.ts';
import { makeHeadReader } from '../directories/head-reader.ts';
import { makeTagReader } from '../directories/tag-reader.ts';
import { TAG } from '../directories/tags.ts';
import type { GeoKeyTags } from '../georeference/geo-key-tags.ts';

/** GDAL's own files have some dozens. */
const MAX_VALUES = 4_096;

/** The GeoTIFF keys of a file as they stand in it; null when it has none, or none that can be read. */
export async function readGeoKeys(source: ByteSource, signal?: AbortSignal): Promise<GeoKeyTags | null> {
  const head = makeHeadReader(source, signal);
  const { littleEndian, directories } = await readDirectories(head);
  const read = makeTagReader(head, littleEndian);
  const first = directories[0]!;
  try {
    const directory = await read.counts(first, TAG.geoKeyDirectory, MAX_VALUES);
    if (directory === null || directory.length < 4) return null;
    const doubles = (await read.doubles(first, TAG.geoDoubles, MAX_VALUES)) ?? [];
    const ascii = (await read.text(first, TAG.geoAscii)) ?? '';
    return { directory: [...directory], doubles: [...doubles], ascii };
  } catch (error) {
    if (isSwathError(error) && error.code === 'tiff-bad-tag') return null;
    throw error;
  }
}
