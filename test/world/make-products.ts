import { join } from 'node:path';
import type { Scene } from '../../src/catalog/index.ts';
import { ingestFolder } from '../../src/catalog/index.ts';
import type { TestFolder } from '../../src/catalog/ingest/testing/make-folder.ts';
import { makeTestFolder } from '../../src/catalog/ingest/testing/make-folder.ts';
import type { Pool } from '../../src/render/index.ts';
import { makeBlockCache, makeRenderJobs } from '../../src/render/index.ts';
import type { World } from '../../src/world/world.ts';
import { copyParts, openWorld } from './kept-world.ts';
import type { SmallProduct } from './small-products.ts';
import { smallProducts } from './small-products.ts';

/** Some of the small products, written and taken in, and all that draws them. */
export interface MadeProducts {
  readonly world: World;
  readonly folder: TestFolder;
  /** By the product's key. */
  readonly sceneOf: ReadonlyMap<string, Scene>;
  /** Does its jobs at once, on this thread. */
  readonly pool: Pool;
  /** Kinds of the jobs since the last call. */
  takeJobs(): string[];
}

/** The product of that key. */
export function productOf(key: string): SmallProduct {
  const product = smallProducts.find(({ part }) => part.key === key);
  if (product === undefined) throw new Error(`no small product ${key}`);
  return product;
}

/** Makes products by their keys; the caller removes the folder. */
export async function makeProducts(keys: readonly string[]): Promise<MadeProducts> {
  const folder = await makeTestFolder();
  const parts = keys.map((key) => productOf(key).part);
  await copyParts(parts, ({ key }) => join(folder.root, key));
  const world = await openWorld();
  const sceneOf = new Map<string, Scene>();
  for (const key of keys) {
    const known = new Set(folder.scenes.keys());
    await ingestFolder({ ...folder.options, path: join(folder.root, key) });
    const viewId = [...folder.scenes.keys()].find((one) => !known.has(one));
    const scene = viewId === undefined ? undefined : folder.scenes.get(viewId);
    if (scene === undefined) throw new Error(`${key} was not taken in`);
    sceneOf.set(key, scene);
  }
  return { world, folder, sceneOf, ...makePoolHere(folder.root) };
}

type Handlers = Readonly<Record<string, (input: unknown, context: unknown) => Promise<unknown>>>;

function makePoolHere(root: string): Pick<MadeProducts, 'pool' | 'takeJobs'> {
  const blocks = makeBlockCache(32 * 2 ** 20).handle;
  const files = { dataDir: join(root, 'no-such-folder'), folders: [root] };
  const handlers = makeRenderJobs({ files, blocks }) as unknown as Handlers;
  let kinds: string[] = [];
  // One after the other, as a thread does them: they share the kernels' memory.
  let last: Promise<unknown> = Promise.resolve();
  const run: Pool['run'] = async <Output>({ kind, input, signal }: Parameters<Pool['run']>[0]) => {
    const handler = handlers[kind];
    if (handler === undefined) throw new Error(`no job ${kind}`);
    kinds.push(kind);
    const context = { signal: signal ?? new AbortController().signal };
    const work = last.then(() => handler(structuredClone(input), context));
    last = work.catch(() => {});
    const output = await work;
    // What moves between threads comes in a box.
    const opened =
      output !== null && typeof output === 'object' && 'output' in output ? output.output : output;
    return { output: opened as Output, queuedMs: 0, ranMs: 0, shared: false };
  };
  const takeJobs = (): string[] => {
    const taken = kinds;
    kinds = [];
    return taken;
  };
  return { pool: { run } as Pool, takeJobs };
}
