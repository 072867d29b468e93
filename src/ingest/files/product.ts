import type { FoundFile } from '../../files/index.ts';
import type { FileRole, ProductLayout, Sensor } from '../../sensors/index.ts';

/** A band of a product and the file it is in. */
export interface ProductBand {
  readonly file: FoundFile;
  /** Band of the file, counted from 0. */
  readonly bandIndex: number;
}

/** A product in a folder, found by the names of its files; none of them has been read yet. */
export interface Product {
  /** Its name in reports: its path below the scanned folder. */
  readonly name: string;
  readonly sensor: Sensor;
  readonly layout: ProductLayout;
  /** Names of the folders it lies in, those above the scanned folder too. */
  readonly folder: readonly string[];
  /** The provider's name of it, if its files contain one. */
  readonly id: string | null;
  /** By band name of the sensor. */
  readonly bands: ReadonlyMap<string, ProductBand>;
  /** Sidecars of the images: overviews and georeference. */
  readonly sidecars: readonly FoundFile[];
  /** Other files of the product: metadata, masks, annotations. */
  readonly files: ReadonlyMap<FileRole, readonly FoundFile[]>;
}

/** The products and the rest of a scanned folder. */
export interface Findings {
  readonly products: readonly Product[];
  /** Images, metadata and archives that cannot be ingested, with the reason. */
  readonly skipped: readonly { readonly name: string; readonly code: string; readonly reason: string }[];
}
