import { readFileSync, writeFileSync } from 'node:fs';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { planesOf } from './evaluate-text.ts';
import type { HostilePlane } from './hostile-planes.ts';
import { SIDE_PX } from './tree-limits.ts';

/** A tree that NumPy has computed. */
export interface GoldenTree {
  readonly text: string;
  readonly planes: readonly HostilePlane[];
  readonly values: Float32Array;
  readonly mask: Uint8Array;
  readonly root: string;
}

/** What the file begins with, as JSON on one line. */
interface Header {
  readonly numpy: string;
  readonly pool: readonly { readonly values: string; readonly mask: readonly number[] | null }[];
  /** Empty: refused, and without values. */
  readonly texts: readonly string[];
  readonly roots: readonly string[];
}

const file = new URL('../../golden/bandmath/trees.br', import.meta.url);
const PIXELS = SIDE_PX * SIDE_PX;
const TREE_BYTES = PIXELS * 5;

/** Writes golden trees; `approved` holds 16 float32 and 16 mask bytes a tree. */
export function writeGoldenTrees(
  { numpy, texts, roots }: Omit<Header, 'pool'>,
  pool: readonly HostilePlane[],
  approved: Uint8Array,
): number {
  const planes = pool.map(({ values, mask }) => ({
    values: Buffer.from(values.buffer).toString('hex'),
    mask: mask === null ? null : [...mask],
  }));
  const header: Header = { numpy, pool: planes, texts, roots };
  const count = approved.length / TREE_BYTES;
  // the same byte of all trees side by side: signs and exponents pack far better without fractions between them
  const sorted = new Uint8Array(approved.length);
  for (let tree = 0; tree < count; tree++) {
    for (let byte = 0; byte < TREE_BYTES; byte++)
      sorted[byte * count + tree] = approved[tree * TREE_BYTES + byte]!;
  }
  const packed = brotliCompressSync(Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), sorted]), {
    params: { [constants.BROTLI_PARAM_LGWIN]: 24 },
  });
  writeFileSync(file, packed);
  return packed.length;
}

/** Reads the golden trees, each with its own planes. */
export function readGoldenTrees(): readonly GoldenTree[] {
  const bytes = brotliDecompressSync(readFileSync(file));
  const end = bytes.indexOf('\n');
  const { pool: written, texts, roots }: Header = JSON.parse(bytes.subarray(0, end).toString());
  const pool = written.map(({ values, mask }) => ({
    values: new Float32Array(Uint8Array.from(Buffer.from(values, 'hex')).buffer),
    mask: mask === null ? null : Uint8Array.from(mask),
  }));
  const sorted = bytes.subarray(end + 1);
  const count = sorted.length / TREE_BYTES;
  let done = 0;
  return texts.flatMap((text, index) => {
    if (text === '') return [];
    const tree = new Uint8Array(TREE_BYTES).map((_, byte) => sorted[byte * count + done]!);
    done++;
    return [
      {
        text,
        root: roots[index]!,
        planes: planesOf(pool, index),
        values: new Float32Array(tree.buffer.slice(0, PIXELS * 4)),
        mask: tree.slice(PIXELS * 4),
      },
    ];
  });
}
