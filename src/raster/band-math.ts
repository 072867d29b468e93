import type { CompiledTree, InputRule, TypedTree } from '../bandmath/index.ts';
import { compileTree, interpretTree } from '../bandmath/index.ts';
import type { Size } from '../geo/index.ts';
import { makeLru } from '../lru.ts';
import { internal } from './errors.ts';
import type { Allocate, Kernels } from './kernels.ts';
import { instantiate } from './kernels.ts';
import { joinMasks, widenWords } from './window-plane.ts';

/** A band in the kernels' memory, and how its numbers are calibrated first. */
export interface BandPlane {
  readonly valuesAt: number;
  /** A byte per pixel, 1 where it has data; 0 when it has data everywhere. */
  readonly maskAt: number;
  readonly rule: InputRule;
  /** As many as the rule has. */
  readonly parameters: readonly number[];
  /** The rule's second plane; 0 when it has none. */
  readonly secondAt: number;
}

/** The values of one expression and its mask. */
export interface ResultPlane {
  readonly valuesAt: number;
  readonly maskAt: number;
}

/** Bytes per pixel of a plane: a float and a byte of mask. */
export const PLANE_BYTES = 4 + 1;

interface ComputeRequest {
  readonly tree: TypedTree;
  /** In the order of the tree's inputs. */
  readonly inputs: readonly BandPlane[];
  /** Pixels of every plane. */
  readonly count: number;
}

/** Computes the expressions of a tree over planes of the kernels' memory. */
export type ComputeBands = (allocate: Allocate, request: ComputeRequest) => readonly ResultPlane[];

interface Program {
  readonly compiled: CompiledTree;
  readonly run: (table: number, fromByte: number, endByte: number) => void;
}

/** Modules cached; a page of a map needs one, and a service sees some dozens of expressions. */
const MAX_PROGRAMS = 256;
/** Pixels that a module processes at once. */
const GROUP = 16;
/**
 * Pixels of one call. V8 switches to its faster code between calls, so the first tile of a new expression is split into
 * several.
 */
const STRETCH = 8192;

/** Band math in the kernels' memory; modules are cached by expression. */
export function makeComputeBands(kernels: Kernels): ComputeBands {
  const programs = makeLru<Program>({ max: MAX_PROGRAMS });

  const findProgram = (tree: TypedTree, rules: readonly InputRule[]): Program =>
    programs.remember(`${rules.join()} ${tree.key}`, () => startProgram(kernels, compileTree(tree, rules)));

  return (allocate, { tree, inputs, count }) => {
    if (inputs.length !== tree.inputs.length)
      throw internal('wrong-inputs', `The tree has ${tree.inputs.length} inputs, not ${inputs.length}.`);
    const program = findProgram(
      tree,
      inputs.map(({ rule }) => rule),
    );
    const padded = Math.ceil(count / GROUP) * GROUP;
    const results = tree.outputs.map(({ uses }) => ({
      valuesAt: allocate(4 * padded),
      maskAt: allocate(padded),
      beforeAt: toCommonMask(kernels, allocate, { masksAt: uses.map((i) => inputs[i]?.maskAt ?? 0), count }),
    }));
    const tableAt = putTable(kernels, allocate, { program, inputs, results });
    for (let from = 0; from < padded; from += STRETCH) {
      program.run(tableAt, 4 * from, 4 * Math.min(padded, from + STRETCH));
    }
    return results;
  };
}

function startProgram({ exports }: Kernels, compiled: CompiledTree): Program {
  const { run } = instantiate(compiled.bytes, { kernels: exports }) as Pick<Program, 'run'>;
  return { compiled, run };
}

/** One mask from several, which stay unchanged. Bands of one file mostly share theirs already. */
function toCommonMask(
  kernels: Kernels,
  allocate: Allocate,
  { masksAt, count }: { readonly masksAt: readonly number[]; readonly count: number },
): number {
  const distinct = [...new Set(masksAt)].filter((maskAt) => maskAt !== 0);
  const [first, ...others] = distinct;
  if (first === undefined) return 0;
  if (others.length === 0) return first;
  const joinedAt = allocate(count);
  const buffer = kernels.buffer();
  new Uint8Array(buffer, joinedAt, count).set(new Uint8Array(buffer, first, count));
  return joinMasks(kernels, [joinedAt, ...others], count);
}

interface TableContents {
  readonly program: Program;
  readonly inputs: readonly BandPlane[];
  readonly results: readonly (ResultPlane & { readonly beforeAt: number })[];
}

/** A band of pixels of a file: floats, or 16-bit words that are all data. */
interface StoredBand extends Pick<BandPlane, 'valuesAt' | 'maskAt' | 'rule' | 'parameters'> {
  /** 0 if it lies as floats. */
  readonly wordsAt: number;
}

interface StripsRequest extends Omit<ComputeRequest, 'inputs'> {
  /** In the order of the tree's inputs. */
  readonly inputs: readonly StoredBand[];
}

/** Pixels in a row of the planes, across the ends of the rows of a picture. */
interface ChannelStrip {
  /** The first of them, and how many there are. */
  readonly first: number;
  readonly count: number;
  /** One for each expression; valid until the next strip. */
  readonly channels: readonly ResultPlane[];
}

/**
 * Pixels of a strip: two bands, their index and its mask take some 400 kB of a cache of 512 kB or more. A multiple of
 * what band math takes at once.
 */
const STRIP_PX = 32_768;

/**
 * Computes strip by strip, from the first pixel to the last: what lies between stored samples and values then stays in
 * the cache of a core. Words become floats strip by strip too.
 */
export function* computeStrips(
  { kernels, compute, allocate }: { kernels: Kernels; compute: ComputeBands; allocate: Allocate },
  { tree, inputs, count: pixels }: StripsRequest,
): Generator<ChannelStrip> {
  // Each strip takes the memory of the one before.
  const freeAt = allocate(0);
  for (let first = 0; first < pixels; first += STRIP_PX) {
    const count = Math.min(STRIP_PX, pixels - first);
    const own = kernels.begin(freeAt);
    const planes = inputs.map(({ rule, parameters, valuesAt, maskAt, wordsAt }): BandPlane => {
      const stripAt = wordsAt === 0 ? valuesAt + 4 * first : own(4 * count);
      if (wordsAt !== 0) widenWords(kernels, { wordsAt: wordsAt + 2 * first, valuesAt: stripAt, count });
      return { rule, parameters, valuesAt: stripAt, maskAt: maskAt === 0 ? 0 : maskAt + first, secondAt: 0 };
    });
    yield { first, count, channels: compute(own, { tree, inputs: planes, count }) };
  }
}

/** Writes the table in which a run finds its planes and numbers (`bandmath/run-table.ts`). */
function putTable(kernels: Kernels, allocate: Allocate, { program, inputs, results }: TableContents): number {
  const { table } = program.compiled;
  const onesAt = allocate(GROUP);
  const tableAt = allocate(4 * (table.ints + table.parameters));
  new Uint8Array(kernels.buffer(), onesAt, GROUP).fill(1);
  const ints = new Int32Array(kernels.buffer(), tableAt, table.ints);
  const numbers = new Float32Array(kernels.buffer(), tableAt + 4 * table.ints, table.parameters);
  for (const [i, entry] of table.inputs.entries()) {
    const { valuesAt, secondAt, parameters } = inputs[i] as BandPlane;
    ints[entry.values] = valuesAt;
    if (secondAt !== 0) ints[entry.second] = secondAt;
    numbers.set(parameters, entry.parameter);
  }
  for (const [i, entry] of table.outputs.entries()) {
    const { valuesAt, maskAt, beforeAt } = results[i] as TableContents['results'][number];
    ints[entry.values] = valuesAt;
    ints[entry.mask] = maskAt;
    ints[entry.before] = beforeAt === 0 ? onesAt : beforeAt;
    ints[entry.stride] = beforeAt === 0 ? 0 : -1;
  }
  return tableAt;
}

interface InterpretRequest {
  readonly tree: TypedTree;
  readonly grid: Size;
  /** In the order of the tree's inputs, calibrated. */
  readonly values: readonly ResultPlane[];
}

/** Computes expressions whose pixels need their neighbours, which are not compiled. */
export function interpretBands(
  kernels: Kernels,
  allocate: Allocate,
  { tree, grid, values }: InterpretRequest,
): readonly ResultPlane[] {
  const { width, height } = grid;
  const count = width * height;
  const results = tree.outputs.map(() => ({ valuesAt: allocate(4 * count), maskAt: allocate(count) }));
  const buffer = kernels.buffer();
  const planes = interpretTree(tree, {
    width,
    height,
    bands: values.map(({ valuesAt }) => new Float32Array(buffer, valuesAt, count)),
    masks: values.map(({ maskAt }) => new Uint8Array(buffer, maskAt, count)),
  });
  for (const [i, { valuesAt, maskAt }] of results.entries()) {
    const plane = planes[i];
    if (plane === undefined) continue;
    new Float32Array(buffer, valuesAt, count).set(plane.values);
    new Uint8Array(buffer, maskAt, count).set(plane.mask);
  }
  return results;
}
