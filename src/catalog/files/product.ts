import type { FileRole, ProductLayout, Sensor } from '../../sensors/index.ts';
import type { FoundFile } from './walk-folder.ts';

/** A band of a product and the file it is in. */
export interface ProductBand {
  readonly file: FoundFile;
  /** Band of the file, counted from 0. */
  readonly bandIndex: number;
}

/** A product as it lies in a folder, found by the names of its files; nothing of it has been read yet. */
export interface Product {
  /** How reports call it: its path below the folder that was looked through. */
  readonly name: string;
  readonly sensor: Sensor;
  readonly layout: ProductLayout;
  /** Names of the folders it lies in, from the one that was looked through down. */
  readonly folder: readonly string[];
  /** The provider's name of it, where its files carry one. */
  readonly id: string | null;
  /** By band name of the sensor. */
  readonly bands: ReadonlyMap<string, ProductBand>;
  /** Smaller copies and georeference of the images. */
  readonly sidecars: readonly FoundFile[];
  /** Files other than the bands', by what they are for. */
  readonly files: ReadonlyMap<FileRole, readonly FoundFile[]>;
}

/** What a walk has found. */
export interface Findings {
  readonly products: readonly Product[];
  /** What looked like a product and cannot be taken in, with the reason. */
  readonly skipped: readonly { readonly name: string; readonly code: string; readonly reason: string }[];
}
