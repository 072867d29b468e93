import { float32Ops } from './number-ops.ts';
import type { BandInput, BinaryOp, NodeId, NodeType, TypedNode, UnaryOp } from './typed-tree.ts';
import { isBooleanOp } from './typed-tree.ts';

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
export interface Masked {
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
    const type = isBooleanOp(op) ? 'boolean' : 'float';
    const value = constantOf(arg);
    if (value !== null) return constant(float32Ops.unary[op](value), type);
    const node = nodes[arg]!;
    if (op === 'logical_not' && node.op === 'logical_not') return node.args[0]!;
    return addOp(op, [arg], type);
  }

  function binary(op: BinaryOp, left: NodeId, right: NodeId): NodeId {
    let args = isLogical(op) ? [toBoolean(left), toBoolean(right)] : [left, right];
    const type = isBooleanOp(op) ? 'boolean' : 'float';
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
