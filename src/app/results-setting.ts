import { isAbsolute, normalize } from 'node:path';
import type { BucketSetting } from './bucket-setting.ts';
import { parseBucket } from './bucket-setting.ts';

/** Where results are stored: `s3://bucket/prefix`, an absolute path, or null for the data directory. */
export type ResultsSetting = BucketSetting;

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
