import { parseCloudPolygons } from '../../catalog/index.ts';
import { sourceBroken } from '../../errors.ts';
import type { Ring } from '../../geo/index.ts';
import { closeRing, toOutline } from '../../geo/index.ts';
import type { OpenSource } from '../../storage/index.ts';
import { makeByteLru } from '../byte-lru.ts';
import type { CloudOutlines } from './cloud-plan.ts';
import type { CloudOutline } from './fill-polygons.ts';

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
const KEPT_BYTES = 16 * 2 ** 20;

/** Builds the reading of polygons for one thread; those of the last scenes are remembered. */
export function makeReadOutlines(open: OpenSource): ReadOutlines {
  const kept = makeByteLru<SceneOutlines>(KEPT_BYTES);
  return async ({ href, epsg, sceneVersion }, signal) => {
    const key = `${sceneVersion} ${href}`;
    const known = kept.get(key);
    if (known !== undefined) return known;
    const mask = parseCloudPolygons(await readText(open, href, signal), 'of the cloud mask');
    // Without polygons there is no reference system, and none is needed.
    if (mask.epsg !== null && mask.epsg !== epsg) {
      throw sourceBroken(
        'source-differs',
        'The cloud mask of this scene is not what the catalog says it is.',
      );
    }
    const outlinesOf = (kind: 'opaque' | 'cirrus') =>
      mask.polygons.filter((polygon) => polygon.kind === kind).map(({ rings }) => toCloudOutline(rings));
    const outlines = { opaque: outlinesOf('opaque'), cirrus: outlinesOf('cirrus') };
    const numbers = [...outlines.opaque, ...outlines.cirrus].reduce(
      (sum, { edges }) => sum + edges.length,
      0,
    );
    kept.set(key, outlines, numbers * Float64Array.BYTES_PER_ELEMENT + mask.polygons.length * 128);
    return outlines;
  };
}

async function readText(open: OpenSource, href: string, signal: AbortSignal): Promise<string> {
  const source = await open(href, signal);
  try {
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

function toCloudOutline(rings: readonly Ring[]): CloudOutline {
  const closed = rings.map((ring) => closeRing(ring));
  // A copy of its own: what threads share costs a page each.
  const edges = toOutline({ type: 'Polygon', coordinates: closed }).slice();
  let [minX, minY, maxX, maxY] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [x, y] of closed.flat()) {
    [minX, maxX] = [Math.min(minX, x), Math.max(maxX, x)];
    [minY, maxY] = [Math.min(minY, y), Math.max(maxY, y)];
  }
  return { edges, minX, minY, maxX, maxY };
}
