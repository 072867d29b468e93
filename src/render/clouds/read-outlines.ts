import { checkStamp } from '../../blocks/index.ts';
import { sourceBroken } from '../../errors.ts';
import { readCloudPolygons } from '../../ingest/index.ts';
import { makeLru } from '../../lru.ts';
import type { OpenSource } from '../../sources/index.ts';
import type { CloudOutlines } from '../plan/cloud-plan.ts';
import type { CloudOutline } from './fill-polygons.ts';
import { toCloudOutline } from './to-cloud-outline.ts';

/** The clouds of a scene, by their kind. */
interface SceneOutlines {
  readonly opaque: readonly CloudOutline[];
  readonly cirrus: readonly CloudOutline[];
}

/** Reads the polygons of a scene's mask. */
export type ReadOutlines = (
  source: CloudOutlines & { readonly sceneVersion: string },
  signal: AbortSignal,
) => Promise<SceneOutlines>;

/** Masks of whole tiles under broken clouds have a few megabytes. */
const MAX_FILE_BYTES = 16 * 2 ** 20;
/** Of a map of tiles every one asks for the same polygons; a thread keeps those of some scenes. */
const CACHED_BYTES = 16 * 2 ** 20;
/** Memory of an outline in addition to its edges. */
const OUTLINE_BYTES = 128;

/** Builds the reading of polygons for one thread; those of the last scenes are remembered. */
export function makeReadOutlines(open: OpenSource): ReadOutlines {
  const cache = makeLru<SceneOutlines>({ max: CACHED_BYTES, sizeOf: estimateBytes });
  return ({ href, epsg, stamp, sceneVersion }, signal) =>
    cache.rememberLater(`${sceneVersion} ${href}`, async () => {
      const outlines = { opaque: [] as CloudOutline[], cirrus: [] as CloudOutline[] };
      const text = await readText(open, { href, stamp }, signal);
      const found = readCloudPolygons(text, 'of the cloud mask', ({ kind, rings }) => {
        outlines[kind].push(toCloudOutline(rings));
      });
      // Without polygons there is no reference system, and none is needed.
      if (found !== null && found !== epsg) {
        throw sourceBroken(
          'source-differs',
          'The cloud mask of this scene is not what the catalog says it is.',
        );
      }
      return outlines;
    });
}

const estimateBytes = ({ opaque, cirrus }: SceneOutlines): number =>
  [...opaque, ...cirrus].reduce((sum, { edges }) => sum + edges.byteLength + OUTLINE_BYTES, 0);

async function readText(
  open: OpenSource,
  { href, stamp }: Pick<CloudOutlines, 'href'> & { readonly stamp: string | undefined },
  signal: AbortSignal,
): Promise<string> {
  const source = await open(href, signal);
  try {
    checkStamp(source.version, stamp);
    if (source.size > MAX_FILE_BYTES) {
      throw sourceBroken(
        'cloud-mask-too-large',
        `The cloud mask of this scene is longer than ${MAX_FILE_BYTES} bytes.`,
      );
    }
    return new TextDecoder().decode(await source.read(0, source.size, signal));
  } finally {
    await source.close();
  }
}
