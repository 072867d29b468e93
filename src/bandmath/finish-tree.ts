import type { NodeList } from './node-list.ts';
import type { BandInput, NodeId, Output, PixelOp, TypedNode, TypedTree, WindowOp } from './typed-tree.ts';

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
