import { internal } from './errors.ts';
import { float32Ops } from './number-ops.ts';
import type { BinaryOp, NodeId, Output, TypedNode, TypedTree, UnaryOp, WindowNode } from './typed-tree.ts';

/** Pixels of every input of a tree, row by row. */
export interface BandWindow {
  readonly width: number;
  readonly height: number;
  /** One plane per input, in the order of `TypedTree.inputs`. */
  readonly bands: readonly Float32Array[];
  /** 1 where the input has data; null when it has data everywhere. */
  readonly masks: readonly (Uint8Array | null)[];
}

/** One output; the values of masked pixels have no meaning. */
export interface Plane {
  readonly values: Float32Array;
  readonly mask: Uint8Array;
}

/** The last step that uses each node. */
function findLastUses({ nodes, outputs }: TypedTree): readonly (readonly NodeId[])[] {
  const lastUse = nodes.map((_, id) => id);
  nodes.forEach((node, id) => {
    if (node.op === 'constant' || node.op === 'input') return;
    for (const arg of node.args) lastUse[arg] = id;
    if ('absent' in node && node.absent !== null) lastUse[node.absent] = id;
  });
  for (const { value, absent } of outputs) {
    lastUse[value] = nodes.length;
    if (absent !== null) lastUse[absent] = nodes.length;
  }
  const ending: NodeId[][] = nodes.map(() => []);
  lastUse.forEach((step, id) => {
    ending[step]?.push(id);
  });
  return ending;
}

/**
 * Computes a typed tree operation by operation, rounding each result to float32: the reference for the compiled form,
 * and the fallback where a tree cannot be compiled.
 */
export function interpretTree(tree: TypedTree, window: BandWindow): readonly Plane[] {
  const { nodes, outputs } = tree;
  const { width, height, bands, masks } = window;
  const length = width * height;
  if (bands.length !== tree.inputs.length || bands.some((band) => band.length !== length)) {
    throw internal('wrong-window', `The bands of an expression must have ${width} × ${height} pixels each.`);
  }
  const planes: (Float32Array | null)[] = nodes.map(() => null);
  const planeOf = (id: NodeId): Float32Array => planes[id]!;
  const free: Float32Array[] = [];
  const ending = findLastUses(tree);

  const isMaskedBy = (uses: readonly number[], absent: NodeId | null) => {
    const used = uses.flatMap((input) => masks[input] ?? []);
    const missing = absent === null ? null : planeOf(absent);
    return (pixel: number): boolean => missing?.[pixel] === 1 || used.some((mask) => mask[pixel] === 0);
  };

  nodes.forEach((node, id) => {
    if (node.op === 'input') planes[id] = bands[node.input]!;
    else {
      const result = free.pop() ?? new Float32Array(length);
      computeNode(node, { result, planeOf, isMaskedBy, width });
      planes[id] = result;
    }
    for (const done of ending[id]!) {
      if (nodes[done]!.op !== 'input') free.push(planeOf(done));
      planes[done] = null;
    }
  });

  return outputs.map(({ value, absent, uses }: Output): Plane => {
    const isMasked = isMaskedBy(uses, absent);
    const values = planeOf(value).slice();
    const mask = Uint8Array.from(values, (one, pixel) => (Number.isNaN(one) || isMasked(pixel) ? 0 : 1));
    return { values, mask };
  });
}

/** The operands of a node. */
interface Surroundings {
  readonly result: Float32Array;
  readonly planeOf: (id: NodeId) => Float32Array;
  readonly isMaskedBy: (uses: readonly number[], absent: NodeId | null) => (pixel: number) => boolean;
  readonly width: number;
}

function computeNode(node: Exclude<TypedNode, { op: 'input' }>, surroundings: Surroundings): void {
  const { result, planeOf } = surroundings;
  if (node.op === 'constant') {
    result.fill(node.value);
    return;
  }
  if ('uses' in node) {
    computeOverWindow(node, surroundings);
    return;
  }
  const [first, second, third] = node.args.map(planeOf);
  if (third !== undefined) {
    for (let pixel = 0; pixel < result.length; pixel++) {
      result[pixel] = first![pixel] === 0 ? third[pixel]! : second![pixel]!;
    }
  } else if (second !== undefined) {
    const compute = float32Ops.binary[node.op as BinaryOp];
    for (let pixel = 0; pixel < result.length; pixel++)
      result[pixel] = compute(first![pixel]!, second[pixel]!);
  } else {
    const compute = float32Ops.unary[node.op as UnaryOp];
    for (let pixel = 0; pixel < result.length; pixel++) result[pixel] = compute(first![pixel]!);
  }
}

function computeOverWindow(node: WindowNode, { result, planeOf, isMaskedBy, width }: Surroundings): void {
  const values = planeOf(node.args[0]);
  const isMasked = isMaskedBy(node.uses, node.absent);
  if (node.op === 'unwrap') unwrapRows({ values, width, isMasked }, result);
  else result.fill(values.every((value, pixel) => value !== 0 || isMasked(pixel)) ? 1 : 0);
}

/** A window of phases. */
interface Phases {
  readonly values: Float32Array;
  readonly width: number;
  /** True where a run ends and the next pixel starts a new one. */
  readonly isMasked: (pixel: number) => boolean;
}

const { fround, PI } = Math;
const HALF = fround(PI);
const PERIOD = fround(2 * PI);

/** A jump between neighbours modulo whole turns, in NumPy's float32 steps. */
function correctJump(jump: number): number {
  if (Math.abs(jump) < HALF) return 0;
  const shifted = fround(jump + HALF);
  let rest = shifted % PERIOD;
  if (rest < 0) rest = fround(rest + PERIOD);
  let short = fround(rest - HALF);
  if (short === -HALF && jump > 0) short = HALF;
  return fround(short - jump);
}

/**
 * NumPy's unwrap along each row: whole turns are added wherever neighbours differ by more than half a turn. The result
 * depends on where the row begins, so neighbouring windows may differ by whole turns.
 */
function unwrapRows({ values, width, isMasked }: Phases, result: Float32Array): void {
  for (let row = 0; row < values.length; row += width) {
    let turns = 0;
    let last = Number.NaN;
    let isRunning = false;
    for (let pixel = row; pixel < row + width; pixel++) {
      const value = values[pixel]!;
      if (isMasked(pixel)) {
        result[pixel] = value;
        isRunning = false;
        continue;
      }
      turns = isRunning ? fround(turns + correctJump(fround(value - last))) : 0;
      result[pixel] = isRunning ? value + turns : value;
      last = value;
      isRunning = true;
    }
  }
}
