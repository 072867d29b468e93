import { hash } from 'node:crypto';
import type { Subject } from '../errors.ts';
import type { SidecarSuffix } from '../formats/block-file/index.ts';
import type { Affine, LonLatBounds, Size } from '../geo/index.ts';
import { badInput } from './errors.ts';

/** A digital elevation model: files that an operator has ingested under one name. */
export interface Dem {
  readonly name: string;
  /** The operator's order: a lower number goes before a higher one; among equals the finer model goes first. */
  readonly order: number;
  /** Whether there is sea, 0 m, where the model has no file; otherwise nothing is known there. */
  readonly gaps: 'sea' | 'unknown';
  /** The attribution that a map of it must show; null if none. */
  readonly attribution: string | null;
  /** Overview mosaics it has, finest first: a copy of the whole model with larger pixels, in files of its own. */
  readonly overviews: readonly DemOverview[];
  /** When it was last ingested, as ISO 8601 in UTC. */
  readonly ingestedAt: string;
}

/** One overview mosaic of a model. */
export interface DemOverview {
  /** Side of its pixels in degrees. */
  readonly pixelDeg: number;
}

/** A model as the store lists it. */
export interface ListedDem extends Dem {
  /** Files as ingested, without overview mosaics. */
  readonly fileCount: number;
  /** Metres a pixel, of the finest file and of the coarsest. */
  readonly finestM: number;
  readonly coarsestM: number;
  /** Hull of all files; `east` exceeds 180 if the model lies across the antimeridian. */
  readonly bounds: LonLatBounds;
  /** Set for a model whose files are found at a public store when they are needed, and not ingested. */
  readonly live?: LiveDem;
}

/** What is particular about a model that is not ingested. */
export interface LiveDem {
  /** Where a gap is not sea, but land whose files are not public. */
  readonly unreleased: readonly LonLatBounds[];
}

/** How the pixels of a file are stored. */
export type DemFormat =
  /** A GeoTIFF. */
  | 'tiff'
  /** A pyramid of PNG tiles in terrarium encoding; `href` is a template with {z}, {x} and {y}. */
  | 'terrarium';

/** One image of a model, with all that reading its heights needs. */
export interface DemFile {
  /** Identifies the file in the store: a digest of model, overview and address. */
  readonly id: string;
  /** The name of its model. */
  readonly dem: string;
  /** 0 for a file as ingested, n for a file of the model's nth overview mosaic. */
  readonly overview: number;
  readonly format: DemFormat;
  /** A path inside the data directory or a named folder, or an address. */
  readonly href: string;
  /** Band of the file, counted from 0. */
  readonly bandIndex: number;
  /** 0 when the reference system has no code and `proj` defines it. */
  readonly epsg: number;
  /** The reference system as a PROJ string or WKT, where no code names it. */
  readonly proj?: string;
  readonly transform: Affine;
  readonly width: number;
  readonly height: number;
  /** Sizes of the reduced copies inside the file or its `.ovr`, largest first. */
  readonly levels: readonly Size[];
  /** The stored value of a void; null if every pixel is a height. */
  readonly nodata: number | null;
  /** height in metres = stored × scale + offset; vertical units other than the metre are part of `scale`. */
  readonly scale: number;
  readonly offset: number;
  /** The step between two stored heights, in metres; 0 for floating point. */
  readonly stepM: number;
  /** Metres a pixel on the ground, in the middle of the image. */
  readonly resolutionM: number;
  /** `west` from −180 to 180; `east` exceeds 180 across the antimeridian. */
  readonly bounds: LonLatBounds;
  /** The zoom levels and the tile size of a pyramid; absent for other formats. */
  readonly pyramid?:
    | { readonly minZoom: number; readonly maxZoom: number; readonly tilePx: number }
    | undefined;
  /** Sidecars that hold pixels of it. */
  readonly sidecars?: readonly SidecarSuffix[];
  /** State of the file and then of its sidecars, as `ByteSource.version` gives it; empty for pyramids. */
  readonly stamps: readonly string[];
}

/** A layer of a model: its files as ingested (0), or one of its overview mosaics. */
export interface DemLayer {
  readonly dem: string;
  readonly overview: number;
}

/** Where elevation models are stored. Writes are on disk when they resolve. */
export interface DemStore {
  /** Stores the description of a model, or replaces it; files of the model stay. */
  putDem(dem: Dem): Promise<void>;
  /** Stores files, or replaces those of equal id; all or none. The model of each must be stored. */
  putFiles(files: readonly DemFile[]): Promise<void>;
  /** Models by the operator's order, then the finest first, then by name. Models without files are left out. */
  list(): Promise<readonly ListedDem[]>;
  find(name: string): Promise<Dem | null>;
  /**
   * Files of these layers whose bounds meet, edges included, at most `limit` of them, ordered by id. Bounds may exceed
   * ±180 and meet what lies there a turn further.
   */
  findFiles(layers: readonly DemLayer[], bounds: LonLatBounds, limit: number): Promise<readonly DemFile[]>;
  /** All files of a layer, ordered by id, in pages. */
  listFiles(layer: DemLayer): AsyncIterable<DemFile>;
  /** Removes files by id; unknown ids are ignored. */
  removeFiles(ids: readonly string[]): Promise<void>;
  /** Removes a model with all its files; resolves to the number of files as ingested, null if there is no such model. */
  removeDem(name: string): Promise<number | null>;
}

/** The id of a file in the store: the same address in another model or overview mosaic is another file. */
export const toDemFileId = ({ dem, overview, href }: Pick<DemFile, 'dem' | 'overview' | 'href'>): string =>
  hash('sha256', [dem, overview, href].join('\n'), 'hex').slice(0, 32);

/** The fields of a record that decide which heights are read from its file. */
type FileState = Pick<DemFile, 'id' | 'stamps' | 'bandIndex' | 'nodata' | 'scale' | 'offset'>;

/** Names the state of a file: another one when it was replaced, or ingested again with another unit, band or void. */
export const toFileState = ({ id, stamps, bandIndex, nodata, scale, offset }: FileState): string =>
  [id, ...stamps, bandIndex, nodata, scale, offset].join(' ');

/** How error messages call the files of elevation models. */
export const DEM_FILES: Subject = { file: 'a file of the model', server: 'a store of the model' };

const NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/;

/** Checks the name of a model; any other text throws `usage`. */
export function parseDemName(text: string): string {
  if (NAME.test(text)) return text;
  throw badInput(
    'usage',
    `"${text.slice(0, 80)}" cannot be the name of a model: it takes 1 to 64 lower-case letters, digits, dots, hyphens and underscores, and begins with a letter or a digit.`,
  );
}

/** The name of a model after that of its folder or file; null if it has no character that a name may have. */
export function toDemName(text: string): string | null {
  const name = text
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[^a-z0-9]+/, '')
    .slice(0, 64)
    .replace(/[^a-z0-9]+$/, '');
  return name === '' ? null : name;
}
