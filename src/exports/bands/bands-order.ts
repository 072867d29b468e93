import type { ExportArea } from '../export.ts';

/** A metadata file that goes into the archive: the name that it gets, and where it is. */
export interface OrderedMetadata {
  readonly label: string;
  /** An address of the scene's own product, or a path relative to it (`MTD_MSIL1C.xml`). */
  readonly url: string;
}

/** Bands as they were delivered, whole or cropped. Plain JSON, except that an outline is an array of numbers. */
export interface BandsOrder {
  readonly viewId: string;
  /** The view id without its sensor. */
  readonly sceneName: string;
  /** Abbreviation of the sensor. */
  readonly sensor: string;
  /** Names, other spellings or roles of bands of the sensor. */
  readonly bands: readonly string[];
  /** Whether bands of the same resolution go into one file. */
  readonly merge: boolean;
  readonly metadata: readonly OrderedMetadata[];
  /** Null for the whole scene. */
  readonly area: ExportArea | null;
}
