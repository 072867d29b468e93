import { isAbsolute, normalize } from 'node:path';
import { isSwathError } from '../errors.ts';
import { parseS3Prefix } from '../net/s3.ts';
import type { Sources } from './source-settings.ts';

/** Where data cubes are stored: `s3://bucket/prefix`; null for the data directory. */
export type BucketSetting = string | null;

/** Where results or finished pictures are stored: `s3://bucket/prefix`, an absolute path, or null for the data directory. */
export type ResultsSetting = string | null;

/** Plain names joined by slashes, so that nothing in a prefix needs to be encoded or leads elsewhere. */
const PREFIX = /^(?:[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}\/){0,10}$/;

/** Reads SWATH_CUBES; the error continues the variable's name. */
export function parseBucket(text: string): BucketSetting {
  if (!isBucketHref(text)) {
    throw new Error('must be s3://bucket or s3://bucket/prefix, of letters, digits, ".", "_" and "-"');
  }
  return text;
}

function isBucketHref(text: string): boolean {
  try {
    const { prefix } = parseS3Prefix(text);
    return PREFIX.test(prefix === '' || prefix.endsWith('/') ? prefix : `${prefix}/`);
  } catch (error) {
    if (isSwathError(error)) return false;
    throw error;
  }
}

/** The setting as `doctor` prints it. */
export const describeBucket = (bucket: BucketSetting): string => bucket ?? '(the data directory)';

/** Why the buckets of the settings cannot be used, with the names of the settings. */
export function findBucketProblems(config: {
  readonly results: ResultsSetting;
  readonly cubes: BucketSetting;
  readonly sharedTiles: ResultsSetting;
  readonly sources: Sources;
}): readonly string[] {
  return [
    ...findProblem('SWATH_RESULTS', config.results, config.sources),
    ...findProblem('SWATH_CUBES', config.cubes, config.sources),
    ...findProblem('SWATH_SHARED_TILES', config.sharedTiles, config.sources),
  ];
}

function findProblem(variable: string, href: BucketSetting, sources: Sources): readonly string[] {
  // A folder needs no bucket.
  if (href === null || href.startsWith('/')) return [];
  const { bucket } = parseS3Prefix(href);
  const store = sources.network?.s3?.find(({ buckets }) => buckets.includes(bucket));
  if (store === undefined) {
    return [`${variable} names the bucket ${bucket}, which the "s3" part of SWATH_SOURCES does not list`];
  }
  return store.credentials === undefined
    ? [`${variable} names the bucket ${bucket}, for which SWATH_SOURCES has no credentials`]
    : [];
}

/** The path of a setting that is a folder; null for a bucket and for the data directory. */
export const toResultsFolder = (results: ResultsSetting): string | null =>
  results !== null && isAbsolute(results) ? results : null;

/** Reads SWATH_RESULTS; the error continues the variable's name. */
export function parseResults(text: string): ResultsSetting {
  if (!isAbsolute(text)) return parseFolderOrBucket(text);
  const path = text.replace(/\/+$/, '');
  if (path !== '' && normalize(path) === path) return path;
  throw new Error('must be an absolute path without dots, and not the root of the disk');
}

function parseFolderOrBucket(text: string): ResultsSetting {
  try {
    return parseBucket(text);
  } catch (error) {
    throw new Error(`${(error as Error).message}; or the absolute path of a folder`);
  }
}
