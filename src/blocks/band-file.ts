import type { SidecarSuffix } from '../formats/index.ts';
import type { PixelWindow } from '../raster/index.ts';

/** One band of a file. */
export interface BandFile {
  /** What the band is called, for messages. */
  readonly band: string;
  readonly href: string;
  readonly bandIndex: number;
  readonly nodata: number | null;
  /** Sidecars that hold pixels of it. */
  readonly sidecars?: readonly SidecarSuffix[];
  /** The state of the opened file, with its sidecars; absent when the catalog does not know it. */
  readonly stamp?: string;
}

/** What is recorded of a file's state: its sidecars, and the stamps of the file and then of each sidecar. */
export interface FileState {
  readonly sidecars?: readonly SidecarSuffix[];
  /** Absent or empty when the file has not been opened yet. */
  readonly stamps?: readonly string[];
}

/** The sidecars that reading pixels needs, and the stamp as the opened file will state it together with them. */
export function toOpenedState({
  sidecars = [],
  stamps = [],
}: FileState): Pick<BandFile, 'sidecars' | 'stamp'> {
  // The catalog knows the position; of the sidecars, only overviews are still needed.
  const at = sidecars.indexOf('.ovr');
  const [stamp] = stamps;
  const overviews = at < 0 ? undefined : stamps[1 + at];
  return {
    ...(at < 0 ? {} : { sidecars: ['.ovr'] as const }),
    ...(stamp === undefined ? {} : { stamp: overviews === undefined ? stamp : `${stamp} ${overviews}` }),
  };
}

/** Pixels of one level of a file: 0 is the full image, 1 its first overview. */
export interface LevelWindow {
  readonly level: number;
  readonly window: PixelWindow;
}

/** A window of a band, and the record of the catalog that names its file. */
export interface WindowRequest extends BandFile {
  /** Its name is for messages; blocks of different versions never mix. */
  readonly record: { readonly name: string; readonly version: string };
  readonly read: LevelWindow;
  /** Blocks inside the window are not needed again soon: they are not cached, so that others stay in the cache. */
  readonly isOnce?: boolean;
}
