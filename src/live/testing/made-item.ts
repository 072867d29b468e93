import { hash } from 'node:crypto';
import type { AreaGeometry } from '../../geo/index.ts';
import { geometryBounds } from '../../geo/index.ts';
import type { VirtualFile } from './virtual-file.ts';

/** An item as a catalog answers it. */
export interface FakeItem {
  readonly type: 'Feature';
  readonly stac_version: string;
  readonly stac_extensions: readonly string[];
  readonly id: string;
  readonly collection: string;
  readonly geometry: AreaGeometry;
  readonly bbox: readonly number[];
  readonly properties: Record<string, unknown>;
  readonly links: readonly Record<string, unknown>[];
  readonly assets: Record<string, Record<string, unknown>>;
}

/** An item before its links, which name the catalog that answers, and before its assets, which are long. */
export interface ItemHead extends Omit<FakeItem, 'links' | 'assets'> {}

/** A made-up scene: what the catalog says, and its files. */
export interface MadeItem {
  readonly head: ItemHead;
  /** Made when asked for: searches look at many heads and answer few items. */
  readonly assets: () => FakeItem['assets'];
  /** Links in addition to those that every catalog has. */
  readonly links: readonly Record<string, unknown>[];
  /** What makes each file, by its path on the file server. */
  readonly files: () => ReadonlyMap<string, MakeFile>;
}

/** Makes a file when it is read for the first time. */
export type MakeFile = () => VirtualFile | Promise<VirtualFile>;

/** Where the files of an item are said to be. */
export interface FilePlace {
  /** The address of a file by its host in the real catalog and its path there. */
  toHttps(host: string, path: string): string;
  toS3(bucket: string, key: string): string;
}

/** Files on the fake: `https://bucket.s3.region.amazonaws.com/key` becomes `{base}/bucket/key`; S3 addresses stay. */
export const atFake = (base: string): FilePlace => ({
  toHttps: (host, path) => `${base}/${host.split('.')[0]}/${path}`,
  toS3: (bucket, key) => `s3://${bucket}/${key}`,
});

/** The addresses of the real catalogs, for tests that read no files. */
export const atProvider: FilePlace = {
  toHttps: (host, path) => `https://${host}/${path}`,
  toS3: (bucket, key) => `s3://${bucket}/${key}`,
};

/** The path of a file on the fake, by host or bucket. */
export const toFilePath = (host: string, path: string): string => `/${host.split('.')[0]}/${path}`;

/** `west, south, east, north`; west lies east of east if the area crosses 180°. */
export function toBbox(area: AreaGeometry): readonly number[] {
  if (area.type === 'Polygon') {
    const { west, south, east, north } = geometryBounds(area);
    return [west, south, east, north];
  }
  const parts = area.coordinates.map((coordinates) => geometryBounds({ type: 'Polygon', coordinates }));
  const { south, north } = geometryBounds(area);
  return [
    Math.max(...parts.map((part) => part.west)),
    south,
    Math.min(...parts.map((part) => part.east)),
    north,
  ];
}

/** A number from 0 to 1 that follows from some words. */
export const chance = (...words: readonly (string | number)[]): number =>
  Number.parseInt(hash('sha256', words.join(' '), 'hex').slice(0, 12), 16) / 2 ** 48;

/** Hexadecimal digits that follow from some words. */
export const digits = (count: number, ...words: readonly (string | number)[]): string =>
  hash('sha256', words.join(' '), 'hex').slice(0, count);

/** `20220611T105631`. */
export const toStamp = (atMs: number): string =>
  new Date(atMs).toISOString().slice(0, 19).replace(/[-:]/g, '');

/** `https://stac-extensions.github.io/eo/v1.1.0/schema.json` of `eo/v1.1.0`. */
export const toExtensions = (...names: readonly string[]): readonly string[] =>
  names.map((name) => `https://stac-extensions.github.io/${name}/schema.json`);

export const COG_TYPE = 'image/tiff; application=geotiff; profile=cloud-optimized';

/** The head of an item of STAC 1.0. */
export const toHead = (head: Omit<ItemHead, 'type' | 'stac_version' | 'bbox'>): ItemHead => ({
  type: 'Feature',
  stac_version: '1.0.0',
  bbox: toBbox(head.geometry),
  ...head,
});
