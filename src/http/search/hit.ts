import type { SceneHit } from '../../catalog/index.ts';
import { toSearchFields } from '../../catalog/index.ts';
import type { AreaGeometry } from '../../geo/index.ts';
import { RENDER_ROOT } from '../kit/paths.ts';
import type { ToThumbnailAddress } from './thumbnail.ts';

/** GeoJSON as existing clients know it. */
const withCrs = <G extends object>(geometry: G) => ({
  ...geometry,
  crs: { type: 'name', properties: { name: 'urn:ogc:def:crs:EPSG:8.9:4326' } },
});

/** The tile of a scene and its upper left corner: the position that lies farthest to the north-west. */
function toTileFields(frame: AreaGeometry) {
  const rings = frame.type === 'Polygon' ? frame.coordinates : frame.coordinates.flat();
  const origin = rings.flat().reduce((best, one) => (one[1] - one[0] > best[1] - best[0] ? one : best));
  return {
    tileGeometry: withCrs(frame),
    tileOrigin: withCrs({ type: 'Point', coordinates: origin }),
  };
}

/** Fields that come back even when `fields` does not list them. */
const ALWAYS: ReadonlySet<string> = new Set(['sceneID', 'view_id', 'tms', 'date', 'satellite']);

interface HitOptions {
  readonly fields: ReadonlySet<string> | null;
  readonly publicUrl: string;
  readonly toThumbnail: ToThumbnailAddress;
  readonly withDataset: boolean;
}

/** A scene on the wire; the tile template never holds a key. */
export function toHit(
  scene: SceneHit,
  { fields, publicUrl, toThumbnail, withDataset }: HitOptions,
): Record<string, unknown> {
  const { thumbnail, ...stored } = toSearchFields(scene);
  const hit: Record<string, unknown> = {
    ...stored,
    // Signing takes some microseconds, which a page of a thousand hits need not spend if no one reads them.
    ...(typeof thumbnail === 'string' && (fields === null || fields.has('thumbnail'))
      ? { thumbnail: toThumbnail({ stored: thumbnail, viewId: scene.viewId }) }
      : {}),
    view_id: scene.viewId,
    tms: `${publicUrl}${RENDER_ROOT}${scene.viewId}/{band}/{z}/{x}/{y}`,
    dataGeometry: withCrs(scene.footprint),
    ...(scene.frame === undefined ? {} : toTileFields(scene.frame)),
    ...(withDataset ? { satellite: scene.dataset } : {}),
  };
  if (fields === null) return hit;
  return Object.fromEntries(Object.entries(hit).filter(([name]) => ALWAYS.has(name) || fields.has(name)));
}
