import { isSwathError } from '../errors.ts';
import { parseS3Prefix } from '../storage/index.ts';
import type { Sources } from './source-settings.ts';

/** Where results are stored: `s3://bucket/prefix`; null for the data directory. */
export type ResultsSetting = string | null;

/** Plain names joined by slashes, so that nothing in a prefix needs to be encoded or leads elsewhere. */
const PREFIX = /^(?:[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}\/){0,10}$/;

/** Reads SWATH_RESULTS; the error continues the variable's name. */
export function parseResults(text: string): ResultsSetting {
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
export const describeResults = (results: ResultsSetting): string => results ?? '(the data directory)';

/** Why the bucket of the results cannot be used, with the name of the setting. */
export function findResultsProblem(config: {
  readonly results: ResultsSetting;
  readonly sources: Sources;
}): readonly string[] {
  if (config.results === null) return [];
  const { bucket } = parseS3Prefix(config.results);
  const store = config.sources.network?.s3?.find(({ buckets }) => buckets.includes(bucket));
  if (store === undefined) {
    return [`SWATH_RESULTS names the bucket ${bucket}, which the "s3" part of SWATH_SOURCES does not list`];
  }
  return store.credentials === undefined
    ? [`SWATH_RESULTS names the bucket ${bucket}, for which SWATH_SOURCES has no credentials`]
    : [];
}
