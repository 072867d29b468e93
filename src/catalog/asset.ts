import type { SidecarSuffix } from '../formats/block-file/index.ts';
import type { Affine, Lattice } from '../geo/index.ts';
import type { PixelType } from '../raster/index.ts';

/** One file of a scene that holds the pixels of one band. */
export interface Asset {
  /** Where the bytes are: a path inside the data directory, relative to it and with forward slashes. */
  readonly href: string;
  /** Band of the file, counted from 0. */
  readonly bandIndex: number;
  /** 0 when the reference system has no code and `proj` defines it. */
  readonly epsg: number;
  /** The reference system as a PROJ string or WKT, where no code names it; it counts for more than `epsg`. */
  readonly proj?: string;
  readonly transform: Affine;
  /** Where the image lies when no affine can say it (Sentinel-1 GRD); `transform` is then the affine nearest to it. */
  readonly lattice?: Lattice;
  readonly width: number;
  readonly height: number;
  readonly type: PixelType;
  /** Value that means "no measurement here"; null when every pixel is data. */
  readonly nodata: number | null;
  /** physical = stored * scale + offset. */
  readonly scale: number;
  readonly offset: number;
  /** Sizes of the reduced copies inside the file or its `.ovr`, largest first, without the full resolution itself. */
  readonly overviews: readonly { readonly width: number; readonly height: number }[];
  /** Sidecars that hold what the file itself lacks (`findSidecars`); absent if there are none. */
  readonly sidecars?: readonly SidecarSuffix[];
  /**
   * State of the file and then of its sidecars, as `ByteSource.version` gives it. Absent when the file has not been
   * opened yet: the record comes from a STAC item without probing, or from an older catalog.
   */
  readonly stamps?: readonly string[];
}
