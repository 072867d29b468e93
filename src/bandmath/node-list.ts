import { internal } from './errors.ts';
import { float32Ops } from './number-ops.ts';
import type {
  BandInput,
  BinaryOp,
  NodeId,
  NodeType,
  Output,
  PixelOp,
  TypedNode,
  TypedTree,
  UnaryOp,
  WindowOp,
} from './typed-tree.ts';
import { booleanOps } from './typed-tree.ts';

/** Builds a typed tree from the leaves up. Equal nodes are created once; operations on constants are folded. */
export interface NodeList {
  readonly nodes: readonly TypedNode[];
  readonly inputs: readonly BandInput[];
  constant(value: number, type?: NodeType): NodeId;
  /** The index of an input, by what it reads. */
  addInput(input: BandInput): number;
  input(input: number): NodeId;
  unary(op: UnaryOp, operand: NodeId): NodeId;
  binary(op: BinaryOp, left: NodeId, right: NodeId): NodeId;
  /** The condition may be any node. */
  where(condition: NodeId, yes: NodeId, no: NodeId): NodeId;
  all(operand: NodeId, masked: Masked): NodeId;
  unwrap(operand: NodeId, masked: Masked): NodeId;
}

/** Which pixels a window operation skips. */
interface Masked {
  readonly uses: readonly number[];
  readonly absent: NodeId | null;
}

/** Commutative operations, to the last bit of the result. */
const COMMUTATIVE: ReadonlySet<BinaryOp> = new Set<BinaryOp>([
  'add',
  'multiply',
  'minimum',
  'maximum',
  'fmin',
  'fmax',
  'hypot',
  'logaddexp',
  'logaddexp2',
  'equal',
  'not_equal',
  'logical_and',
  'logical_or',
  'logical_xor',
]);

const isLogical = (op: BinaryOp | UnaryOp): boolean => op.startsWith('logical_');

/** FNV-1a of a text: orders operands by content, not by appearance, so that spelling does not matter. */
function hash(text: string): number {
  let bits = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    bits = Math.imul(bits ^ text.charCodeAt(index), 0x01000193);
  }
  return bits >>> 0;
}

/** A constant as text, with the sign of zero. */
const toText = (value: number): string => (Object.is(value, -0) ? '-0' : String(value));

/** An empty list. */
export function makeNodeList(): NodeList {
  const nodes: TypedNode[] = [];
  const hashes: number[] = [];
  const known = new Map<string, NodeId>();
  const inputs: BandInput[] = [];

  function add(node: TypedNode, key: string, meaning: string): NodeId {
    const same = known.get(key);
    if (same !== undefined) return same;
    nodes.push(node);
    hashes.push(hash(meaning));
    known.set(key, nodes.length - 1);
    return nodes.length - 1;
  }
  const addOp = (op: UnaryOp | BinaryOp | 'where', args: readonly NodeId[], type: NodeType): NodeId =>
    add({ op, type, args }, `${op} ${args.join(' ')}`, `${op} ${args.map((arg) => hashes[arg]).join(' ')}`);

  const constant = (value: number, type: NodeType = 'float'): NodeId => {
    const text = `${type} ${toText(Math.fround(value))}`;
    return add({ op: 'constant', type, value: Math.fround(value) }, text, text);
  };
  const constantOf = (id: NodeId): number | null => {
    const node = nodes[id]!;
    return node.op === 'constant' ? node.value : null;
  };
  /** Nonzero, NaN included, is true. */
  const toBoolean = (id: NodeId): NodeId =>
    nodes[id]!.type === 'boolean' ? id : binary('not_equal', id, constant(0));

  function unary(op: UnaryOp, operand: NodeId): NodeId {
    const arg = isLogical(op) ? toBoolean(operand) : operand;
    const type = booleanOps.has(op) ? 'boolean' : 'float';
    const value = constantOf(arg);
    if (value !== null) return constant(float32Ops.unary[op](value), type);
    const node = nodes[arg]!;
    if (op === 'logical_not' && node.op === 'logical_not') return node.args[0]!;
    return addOp(op, [arg], type);
  }

  function binary(op: BinaryOp, left: NodeId, right: NodeId): NodeId {
    let args = isLogical(op) ? [toBoolean(left), toBoolean(right)] : [left, right];
    const type = booleanOps.has(op) ? 'boolean' : 'float';
    const [first, second] = [constantOf(args[0]!), constantOf(args[1]!)];
    if (first !== null && second !== null) return constant(float32Ops.binary[op](first, second), type);
    const simpler = simplify(op, args as [NodeId, NodeId], [first, second]);
    if (simpler !== null) return simpler;
    if (COMMUTATIVE.has(op)) args = args.sort((a, b) => hashes[a]! - hashes[b]! || a - b);
    return addOp(op, args, type);
  }

  /** An equivalent node, to the last bit for every operand; null when there is none. */
  function simplify(
    op: BinaryOp,
    [left, right]: readonly [NodeId, NodeId],
    [first, second]: readonly [number | null, number | null],
  ): NodeId | null {
    if (op === 'power' && second !== null) {
      if (second === 0) return constant(1);
      if (second === 1) return left;
      if (second === 2) return binary('multiply', left, left);
      if (second === -1) return binary('divide', constant(1), left);
    }
    if (op === 'multiply' && (first === 1 || second === 1)) return first === 1 ? right : left;
    if (op === 'divide' && second === 1) return left;
    if (op === 'logical_and' || op === 'logical_or') {
      if (left === right) return left;
      const decisive = op === 'logical_or' ? 1 : 0;
      for (const [value, other] of [[first, right] as const, [second, left] as const]) {
        if (value !== null) return value === decisive ? constant(decisive, 'boolean') : other;
      }
    }
    return null;
  }

  function where(anyCondition: NodeId, yes: NodeId, no: NodeId): NodeId {
    const condition = toBoolean(anyCondition);
    const value = constantOf(condition);
    if (value !== null) return value === 1 ? yes : no;
    if (yes === no) return yes;
    const isBoolean = nodes[yes]!.type === 'boolean' && nodes[no]!.type === 'boolean';
    if (isBoolean) {
      const negated = () => unary('logical_not', condition);
      if (constantOf(yes) === 1) return binary('logical_or', condition, no);
      if (constantOf(yes) === 0) return binary('logical_and', negated(), no);
      if (constantOf(no) === 1) return binary('logical_or', negated(), yes);
      if (constantOf(no) === 0) return binary('logical_and', condition, yes);
    }
    const node = nodes[condition]!;
    if (node.op === 'logical_not')
      return addOp('where', [node.args[0]!, no, yes], isBoolean ? 'boolean' : 'float');
    return addOp('where', [condition, yes, no], isBoolean ? 'boolean' : 'float');
  }

  function overWindow(op: 'all' | 'unwrap', operand: NodeId, { uses, absent }: Masked): NodeId {
    const type = op === 'all' ? 'boolean' : 'float';
    const masked = `${uses.join(',')};${absent ?? ''}`;
    const meaning = `${op} ${hashes[operand]} ${absent === null ? '' : hashes[absent]}`;
    return add({ op, type, args: [operand], uses, absent }, `${op} ${operand} ${masked}`, meaning);
  }

  return {
    nodes,
    inputs,
    constant,
    addInput(input) {
      const { band, calibrated, scene } = input;
      const index = inputs.findIndex(
        (one) => one.band === band && one.calibrated === calibrated && one.scene === scene,
      );
      return index >= 0 ? index : inputs.push({ band, calibrated, scene }) - 1;
    },
    input(input) {
      const { band, calibrated, scene } = inputs[input]!;
      const text = `input ${band} ${calibrated} ${scene}`;
      return add({ op: 'input', type: 'float', input }, text, text);
    },
    unary,
    binary,
    where,
    all: (operand, masked) => overWindow('all', toBoolean(operand), masked),
    unwrap: (operand, masked) => overWindow('unwrap', operand, masked),
  };
}

/** Cost of an operation, roughly in additions, where it is more than one. */
const COSTS: Readonly<Partial<Record<PixelOp | WindowOp, number>>> = {
  divide: 4,
  sqrt: 4,
  floor_divide: 12,
  mod: 12,
  fmod: 12,
  rint: 2,
  nextafter: 4,
  ldexp: 4,
  exp: 16,
  exp2: 16,
  log: 16,
  log2: 16,
  log10: 16,
  cbrt: 20,
  expm1: 20,
  log1p: 20,
  sin: 20,
  cos: 20,
  tan: 24,
  arcsin: 20,
  arccos: 20,
  arctan: 20,
  arctan2: 24,
  hypot: 8,
  sinh: 24,
  cosh: 24,
  tanh: 24,
  arcsinh: 28,
  arccosh: 28,
  arctanh: 28,
  power: 32,
  logaddexp: 36,
  logaddexp2: 36,
  unwrap: 24,
};

const isWindow = (node: TypedNode): boolean => node.op === 'all' || node.op === 'unwrap';

function operandsOf(node: TypedNode): readonly NodeId[] {
  if (node.op === 'constant' || node.op === 'input') return [];
  return 'absent' in node && node.absent !== null ? [...node.args, node.absent] : node.args;
}

/** The nodes that the outputs need, operands first: an order that depends only on the meaning, not on the spelling. */
function orderNodes(nodes: readonly TypedNode[], outputs: readonly Output[]): readonly NodeId[] {
  const order = new Set<NodeId>();
  const visit = (id: NodeId): void => {
    if (order.has(id)) return;
    for (const operand of operandsOf(nodes[id]!)) visit(operand);
    order.add(id);
  };
  for (const { value, absent } of outputs) {
    visit(value);
    if (absent !== null) visit(absent);
  }
  return [...order];
}

const inputText = ({ band, calibrated, scene }: BandInput): string =>
  `${band}${calibrated ? '!' : ''}${scene === 'earlier' ? '<' : ''}`;

/** Nodes and inputs, of which outputs may need only some. */
type Parts = Pick<NodeList, 'nodes' | 'inputs'>;

/** Drops nodes that no output needs, renumbers the rest, and writes the key. */
export function finishTree(list: Parts, outputs: readonly Output[]): TypedTree {
  const order = orderNodes(list.nodes, outputs);
  const newIds = new Map(order.map((id, index) => [id, index]));
  const idOf = (id: NodeId): NodeId => newIds.get(id)!;

  const inputs = orderInputs(list, order, outputs);
  const newInputs = new Map(inputs.map((input, index) => [list.inputs.indexOf(input), index]));
  const usesOf = (uses: readonly number[]): readonly number[] =>
    uses.map((input) => newInputs.get(input)!).sort((a, b) => a - b);

  const nodes = order.map((id): TypedNode => {
    const node = list.nodes[id]!;
    if (node.op === 'constant') return node;
    if (node.op === 'input') return { ...node, input: newInputs.get(node.input)! };
    if (!('uses' in node)) return { ...node, args: node.args.map(idOf) };
    const absent = node.absent === null ? null : idOf(node.absent);
    return { ...node, args: [idOf(node.args[0])], uses: usesOf(node.uses), absent };
  });
  const finished = outputs.map(({ value, absent, uses, type }) => ({
    value: idOf(value),
    absent: absent === null ? null : idOf(absent),
    uses: usesOf(uses),
    type,
  }));
  return {
    nodes,
    inputs,
    outputs: finished,
    key: writeKey(nodes, inputs, finished),
    costPerPixel: nodes.reduce((cost, { op }) => cost + (COSTS[op as PixelOp] ?? 1), 0),
    needsWindow: nodes.some(isWindow),
  };
}

/** Inputs in the order in which the nodes read them; then those that are only named, by name. */
function orderInputs(
  list: Parts,
  order: readonly NodeId[],
  outputs: readonly Output[],
): readonly BandInput[] {
  const named = new Set(outputs.flatMap(({ uses }) => uses));
  const read = order.flatMap((id) => {
    const node = list.nodes[id]!;
    return node.op === 'input' ? [list.inputs[node.input]!] : [];
  });
  const unread = list.inputs.filter((input, index) => named.has(index) && !read.includes(input));
  return [...read, ...unread.sort((a, b) => (inputText(a) < inputText(b) ? -1 : 1))];
}

function writeKey(
  nodes: readonly TypedNode[],
  inputs: readonly BandInput[],
  outputs: readonly Output[],
): string {
  const steps = nodes.map((node) => {
    if (node.op === 'constant') return `${node.type[0]}${Object.is(node.value, -0) ? '-0' : node.value}`;
    if (node.op === 'input') return `@${node.input}`;
    const masked = 'uses' in node ? ` ${node.uses.join('+')} ${node.absent ?? '-'}` : '';
    return `${node.op} ${node.args.join(' ')}${masked}`;
  });
  const results = outputs.map(({ value, absent, uses }) => `${value} ${absent ?? '-'} ${uses.join('+')}`);
  return `${inputs.map(inputText).join(',')}|${steps.join(';')}|${results.join(';')}`;
}

/** One expression of several. */
interface TakenOutput {
  /** The same tree, key included, as if its text had been parsed alone. */
  readonly tree: TypedTree;
  /** The indexes of its inputs among those of all. */
  readonly inputs: readonly number[];
}

/** Extracts one expression of several, without anything that only the others need. */
export function takeOutput(tree: TypedTree, index: number): TakenOutput {
  const output = tree.outputs[index];
  if (output === undefined) throw internal('no-output', `A tree has no expression ${index}.`);
  const taken = tree.outputs.length === 1 ? tree : finishTree(tree, [output]);
  return { tree: taken, inputs: taken.inputs.map((input) => tree.inputs.indexOf(input)) };
}
