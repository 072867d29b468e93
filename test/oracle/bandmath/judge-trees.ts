import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isSwathError } from '../../../src/errors.ts';
import { makeRandom } from '../../fuzz/random.ts';
import { evaluateText, planesOf } from './evaluate-text.ts';
import type { HostilePlane } from './hostile-planes.ts';
import { makeHostilePlanes } from './hostile-planes.ts';
import type { RandomTree } from './random-tree.ts';
import { inexact, makeRandomTree } from './random-tree.ts';
import { SIDE_PX } from './tree-limits.ts';
import { writeTree } from './write-tree.ts';

/** Which trees to make. */
interface TreeRequest {
  readonly seed: number;
  /** Number of the first tree: a tree is known by its number and the seed. */
  readonly first: number;
  readonly count: number;
  /** Whether functions that are not exact may be below others. */
  readonly interior: 'any' | 'exact';
}

/** What NumPy says. */
interface TreeVerdict {
  readonly numpy: string;
  readonly problems: readonly string[];
  /** Largest distance by function, in units of the last place. */
  readonly worst: Readonly<Record<string, number>>;
  /** Trees that both refuse. */
  readonly refused: number;
  /** In order; those that both refuse are empty. */
  readonly texts: readonly string[];
  /** The outermost function of each; empty for a leaf. */
  readonly roots: readonly string[];
  readonly pool: readonly HostilePlane[];
  /** NumPy's values and masks of the trees, one after another, without the refused ones. */
  readonly approved: Uint8Array;
}

type JsonTree = string | readonly [name: string, args: readonly JsonTree[], isPart: boolean];

const judge = fileURLToPath(new URL('numpy_trees.py', import.meta.url));
/** Of a tree, and planes that its bands are taken from. */
export const MAX_DEPTH = 4;
export const POOL_PLANES = 97;

/** Inside parts first: the order in which the judge meets them. */
export function findParts(tree: RandomTree, isRoot = true): readonly RandomTree[] {
  if ('text' in tree) return [];
  const inside = tree.args.flatMap((arg) => findParts(arg, false));
  return isPart(tree) && !isRoot ? [...inside, tree] : inside;
}
const isPart = (tree: RandomTree): boolean =>
  'name' in tree && tree.kind === 'band' && inexact.has(tree.name);
const toJson = (tree: RandomTree): JsonTree =>
  'text' in tree ? tree.text : [tree.name, tree.args.map(toJson), isPart(tree)];

/** Makes trees, computes them, and lets NumPy judge. */
export function judgeTrees({ seed, first, count, interior }: TreeRequest): TreeVerdict {
  const pool = makeHostilePlanes(makeRandom(seed, 'bandmath-pool', first), POOL_PLANES);
  const trees: [JsonTree, string, string | null, number][] = [];
  const counts: number[] = [];
  const results: Float32Array[] = [];
  for (let index = 0; index < count; index++) {
    const random = makeRandom(seed, `bandmath-${interior}`, first + index);
    const tree = makeRandomTree(random, 1 + random.below(MAX_DEPTH), interior);
    const parts = findParts(tree).map((part) => writeTree(part, random));
    const text = writeTree(tree, random);
    try {
      const planes = evaluateText([...parts, text].join(','), planesOf(pool, index));
      results.push(...planes.map(({ values }) => values), Float32Array.from(planes.at(-1)!.mask));
      counts.push(planes.length + 1);
      trees.push([toJson(tree), text, null, index]);
    } catch (error) {
      if (!isSwathError(error) || error.tag === 'internal') throw new Error(text, { cause: error });
      counts.push(0);
      trees.push([toJson(tree), text, error.code, index]);
    }
  }
  const folder = mkdtempSync(join(tmpdir(), 'bandmath-oracle-'));
  try {
    const planes = pool.map(({ values, mask }) => ({
      values: Buffer.from(values.buffer).toString('hex'),
      mask: mask === null ? null : [...mask],
    }));
    const approve = interior === 'exact';
    writeFileSync(
      join(folder, 'results.bin'),
      Buffer.concat(results.map(({ buffer }) => Buffer.from(buffer))),
    );
    writeFileSync(
      join(folder, 'trees.json'),
      JSON.stringify({ side: SIDE_PX, pool: planes, trees, counts, approve }),
    );
    const run = spawnSync(findNumpy(), ['-B', judge, folder], { encoding: 'utf8', maxBuffer: 2 ** 26 });
    if (run.status !== 0) throw new Error(`NumPy's side failed: ${run.stderr}`);
    const approved = approve ? new Uint8Array(readFileSync(join(folder, 'approved.bin'))) : new Uint8Array();
    const texts = trees.map(([, text, refusal]) => (refusal === null ? text : ''));
    const roots = trees.map(([tree]) => (typeof tree === 'string' ? '' : tree[0]));
    return { ...JSON.parse(run.stdout), texts, roots, pool, approved };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A Python whose NumPy has the rules of types since version 2. */
function findNumpy(): string {
  const found = ['python3', '/usr/bin/python3'].find(
    (python) => spawnSync(python, ['-c', 'import numpy; assert numpy.__version__ >= "2"']).status === 0,
  );
  if (found !== undefined) return found;
  console.error('No Python with NumPy 2 was found: pip install "numpy>=2".');
  process.exit(2);
}
