import { DEMO_SCENE } from '../../test/support/demo-data.ts';

/** Addresses of tiles of the demo scene, each with a contrast of its own so that no two are equal and none is shared. */
export function makeNextPath(tiles: readonly string[], first: number): () => string {
  let serial = first;
  return () => {
    serial += 1;
    const tile = tiles[serial % tiles.length];
    return `/api/render/${DEMO_SCENE.viewId}/B04,B03,B02/${tile}?MIN_MAX=0,${3000 + (serial % 1_000_000)}`;
  };
}
