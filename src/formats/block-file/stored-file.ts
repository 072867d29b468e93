import type { OpenSource } from '../../sources/index.ts';
import type { CopiedLevel } from '../cog/copied-cog.ts';
import { isJp2 } from '../jp2/headers/boxes.ts';
import { openJp2 } from '../jp2/reader/jp2-reader.ts';
import type { GeoKeyTags } from '../tiff/georeference/geo-keys.ts';
import { readGeoKeys } from '../tiff/georeference/geo-keys.ts';
import type { ControlPoint } from '../tiff/georeference/georeference.ts';
import { isStorableCode } from '../tiff/georeference/georeference.ts';
import type { BandInfo } from '../tiff/samples/gdal-metadata.ts';
import type { Tiff } from '../tiff/tiff-reader.ts';
import { joinOverviews, openTiff } from '../tiff/tiff-reader.ts';
import type { SidecarSuffix } from './sidecars.ts';
import { openSidecarOverviews, sidecarHref, withSidecarGeoreference } from './sidecars.ts';

/** A file of bytes: the image, or its sidecar with overviews. */
export interface StoredBytes {
  readonly href: string;
  readonly size: number;
  /** `ByteSource.version`. */
  readonly version: string;
}

/** How an image is stored, for copies of its bytes; plain data. */
export type StoredFile =
  | { readonly format: 'jp2'; readonly bytes: StoredBytes; readonly bandCount: number }
  | {
      readonly format: 'tiff';
      readonly bytes: StoredBytes;
      /** Null when overviews are in the file itself, or there are none. */
      readonly overviewBytes: StoredBytes | null;
      /** Full resolution first; those of the sidecar begin with index 1. */
      readonly levels: readonly CopiedLevel[];
      /** In the type of the pixels. */
      readonly nodata: number | null;
      readonly bands: readonly BandInfo[];
      readonly gcps: readonly ControlPoint[];
      /** Null when a code names the reference system, and when nothing in the file does. */
      readonly geoKeys: GeoKeyTags | null;
      /** Whether a mask or an alpha band says where there is data. */
      readonly isMasked: boolean;
    };

interface ReadOptions {
  readonly href: string;
  readonly sidecars: readonly SidecarSuffix[];
  readonly open: OpenSource;
  readonly signal?: AbortSignal;
}

/** Enough bytes to recognise the format. */
const MAGIC_BYTES = 12;

const lacksCode = ({ epsg }: Tiff): boolean => epsg === null || !isStorableCode(epsg);

/** Opens an image, reads how it is stored, and closes it. */
export async function readStoredFile({ href, sidecars, open, signal }: ReadOptions): Promise<StoredFile> {
  const source = await open(href, signal);
  try {
    const bytes = { href, size: source.size, version: source.version };
    const head = await source.read(0, Math.min(MAGIC_BYTES, source.size), signal);
    if (isJp2(new DataView(head.buffer, head.byteOffset, head.byteLength))) {
      return { format: 'jp2', bytes, bandCount: (await openJp2(source, signal)).bandCount };
    }
    const files = { href, suffixes: sidecars, open };
    const tiff = await withSidecarGeoreference(await openTiff(source, signal), files, signal);
    const overviews = await openSidecarOverviews(tiff, files, signal);
    try {
      const levels = joinOverviews(tiff, overviews).map(({ tiff: { source: from }, image }) => ({
        image,
        fileBytes: from.size,
      }));
      return {
        format: 'tiff',
        bytes,
        overviewBytes:
          overviews === null
            ? null
            : {
                href: sidecarHref(href, '.ovr'),
                size: overviews.source.size,
                version: overviews.source.version,
              },
        levels,
        nodata: tiff.nodata,
        bands: tiff.bands,
        gcps: tiff.gcps,
        geoKeys: lacksCode(tiff) ? await readGeoKeys(source, signal) : null,
        isMasked: tiff.masks.length > 0 || (tiff.images[0].alphaBand !== null && tiff.nodata === null),
      };
    } finally {
      await overviews?.source.close();
    }
  } finally {
    await source.close();
  }
}
