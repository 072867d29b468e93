import { isAbsolute } from 'node:path';
import type { SidecarSuffix } from '../../formats/block-file/index.ts';
import { withoutSignature } from '../../ingest/index.ts';
import { toAddressOrigin, toShownAddress } from '../../net/index.ts';
import type { ListBucket, OpenSource } from '../../sources/index.ts';
import { toSourceAdvice } from '../../sources/index.ts';
import { notAllowed } from '../errors.ts';
import type { CopernicusTile } from './copernicus.ts';
import type { FoundPyramid } from './pyramid.ts';

/** Something that becomes a file of a model. */
export type FoundItem = FoundImage | FoundTiles | FoundTemplate;

/** An image, by its path or address. */
export interface FoundImage {
  readonly kind: 'image';
  /** Its name in reports. */
  readonly name: string;
  readonly address: string;
  /** Its state, if a listing has it. */
  readonly version: string | null;
  /** Sidecars that lie next to it; null if that is not known. */
  readonly sidecars: readonly SidecarSuffix[] | null;
}

/** Tiles in a folder. */
export interface FoundTiles {
  readonly kind: 'tiles';
  readonly name: string;
  readonly folder: string;
  readonly pyramid: FoundPyramid;
}

/** Tiles by the template of their addresses. */
interface FoundTemplate {
  readonly kind: 'template';
  readonly name: string;
  readonly address: string;
}

/** Something that does not become a file, and why. */
export interface LeftOut {
  readonly name: string;
  readonly code: string;
  readonly reason: string;
}

/** What was found at the place that an operator named. */
export interface DemSource {
  readonly items: readonly FoundItem[];
  /** Entries that are left out on purpose. */
  readonly skipped: readonly LeftOut[];
  /** Entries that could not be read. */
  readonly faults: readonly LeftOut[];
  /** Tiles of the set by its own list, `tileList.txt`; null without one. */
  readonly tileList: readonly CopernicusTile[] | null;
  /**
   * Which files of the model belong to the source, so that those not found in it are gone: all below an address, all
   * below the folder that the items share, or none.
   */
  readonly scope: { readonly below: string } | 'common-folder' | 'none';
  /** The name of the folder, file or bucket, which becomes that of the model by default. */
  readonly label: string;
}

/** What may be read, and how. */
export interface SourceDoors {
  readonly open: OpenSource;
  readonly listBucket: ListBucket;
  /** Whether the catalog may refer to an http(s) or s3 address. */
  readonly isAllowedHref: (href: string) => boolean;
  /** The address of a file in the catalog; throws for a file that the catalog may not refer to. */
  readonly toHref: (path: string) => string;
}

/** The address under which the catalog refers to a path or address; refuses what the server could not open later. */
export function toAllowedHref(
  address: string,
  { isAllowedHref, toHref }: Pick<SourceDoors, 'isAllowedHref' | 'toHref'>,
): string {
  if (isAbsolute(address)) return toHref(address);
  const href = withoutSignature(address);
  if (isAllowedHref(href)) return href;
  const origin = toAddressOrigin(address);
  throw notAllowed(
    'address-not-allowed',
    origin === null
      ? `${toShownAddress(address)} is neither a path nor an address.`
      : `${toShownAddress(address)} may not be read: SWATH_SOURCES does not name ${origin}. Here and for the server, which opens the files later, ${toSourceAdvice(address)}.`,
  );
}
