import { openObjects } from '../../objects/open-objects.ts';
import type { NetworkSources } from '../../sources/network-sources.ts';
import type { Cubes } from '../cubes.ts';
import { makeBucketCubes, makeCubes } from '../cubes.ts';

/** Cubes of a test, as plain data: in a directory, or in a bucket. */
export interface TestCubes {
  readonly directory: string;
  readonly bucket?: { readonly href: string; readonly network: NetworkSources };
}

interface TestOptions {
  readonly cacheBytes?: number;
  readonly nowMs?: () => number;
  readonly confirm?: () => Promise<void>;
}

/** Parts of an upload: small, so that files of chunks have several. */
const PART_BYTES = 10_000;

/** Opens them, in this process or another one. */
export function openTestCubes({ directory, bucket }: TestCubes, options: TestOptions = {}): Cubes {
  if (bucket === undefined) return makeCubes({ ...options, directory, subject: 'soil' });
  const { href, network } = bucket;
  const objects = openObjects({ bucketHref: href, network, partBytes: PART_BYTES });
  return makeBucketCubes({ ...options, objects, subject: 'soil', stagingFolder: directory });
}
