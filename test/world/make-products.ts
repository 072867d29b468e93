import { join } from 'node:path';
import type { Scene } from '../../src/catalog/index.ts';
import type { TestFolder } from '../../src/ingest/folder/testing/make-folder.ts';
import { makeTestFolder } from '../../src/ingest/folder/testing/make-folder.ts';
import { ingestFolder } from '../../src/ingest/index.ts';
import type { DemoPart } from '../../world/demo/demo-part.ts';
import type { World } from '../../world/ground/world.ts';
import type { PoolHere } from '../support/pool-here.ts';
import { makePoolHere } from '../support/pool-here.ts';
import { copyParts, openWorld } from './shared-world.ts';
import type { SmallProduct } from './small-products.ts';
import { smallProducts } from './small-products.ts';

/** Some of the small products, written and taken in, and all that draws them. */
export interface MadeProducts extends PoolHere {
  readonly world: World;
  readonly folder: TestFolder;
  /** By the product's key. */
  readonly sceneOf: ReadonlyMap<string, Scene>;
}

/** The product of that key. */
export function productOf(key: string): SmallProduct {
  const product = smallProducts.find(({ part }) => part.key === key);
  if (product === undefined) throw new Error(`no small product ${key}`);
  return product;
}

/** Makes products by their keys; the caller removes the folder. */
export const makeProducts = (keys: readonly string[]): Promise<MadeProducts> =>
  makeParts(keys.map((key) => productOf(key).part));

/** Makes scenes of the demo, or others like them; the caller removes the folder. */
export async function makeParts(parts: readonly DemoPart[]): Promise<MadeProducts> {
  const folder = await makeTestFolder();
  await copyParts(parts, ({ key }) => join(folder.root, key));
  const world = await openWorld();
  const sceneOf = new Map<string, Scene>();
  for (const { key } of parts) {
    const known = new Set(folder.scenes.keys());
    await ingestFolder({ ...folder.options, path: join(folder.root, key) });
    const viewId = [...folder.scenes.keys()].find((one) => !known.has(one));
    const scene = viewId === undefined ? undefined : folder.scenes.get(viewId);
    if (scene === undefined) throw new Error(`${key} was not taken in`);
    sceneOf.set(key, scene);
  }
  return {
    world,
    folder,
    sceneOf,
    ...makePoolHere({ dataDir: join(folder.root, 'no-such-folder'), folders: [folder.root] }),
  };
}
