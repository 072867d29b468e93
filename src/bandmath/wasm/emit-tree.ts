import type { NodeId, PixelNode, TypedNode, TypedTree } from '../typed-tree.ts';
import { emitOperation } from './emit-operation.ts';
import type { InputRule } from './input-rule.ts';
import { emitInput, inputRules } from './input-rule.ts';
import * as op from './instructions.ts';
import type { KernelCalls } from './kernel-calls.ts';
import type { Code } from './module-bytes.ts';
import type { RunLocals } from './run-locals.ts';
import type { TablePlan } from './table-plan.ts';

interface EmitterParts {
  readonly tree: TypedTree;
  readonly rules: readonly InputRule[];
  readonly table: TablePlan;
  readonly locals: RunLocals;
  readonly kernels: KernelCalls;
}

/** The pieces of `run`'s body. */
export interface Emitter {
  /** Loads the whole table into locals. */
  table(): Code;
  constants(): Code;
  /** Stores the values of the first, second … four of sixteen pixels, and which of them are numbers. */
  quarter(quarter: number): Code;
  /** Stores the masks of sixteen pixels. */
  masks(): Code;
}

/** Generates the instructions of a tree. */
export function makeEmitter({ tree, rules, table, locals, kernels }: EmitterParts): Emitter {
  const { nodes, outputs } = tree;
  const nodeValue = (node: NodeId): Code => op.getLocal(locals.node(node));
  /** Lanes of ones become the number 1. */
  const numberOf = (node: NodeId): Code =>
    nodes[node]?.type === 'boolean' ? [...nodeValue(node), ...op.splat(1), ...op.plain.and] : nodeValue(node);
  const addressOf = (plane: number): Code => [
    ...op.getLocal(locals.int(plane)),
    ...op.getLocal(locals.at),
    ...op.plain.addInt,
  ];

  /** The number as read is in the node's own local, so that a rule may use it more than once. */
  const emitBand = (input: number, id: NodeId, quarter: number): Code => {
    const entry = table.inputs[input] as TablePlan['inputs'][number];
    const rule = rules[input] as InputRule;
    const read = (plane: number): Code => [...addressOf(plane), ...op.loadVector(16 * quarter)];
    const value = emitInput(rule, {
      value: nodeValue(id),
      parameter: (i) => op.getLocal(locals.parameter(entry.parameter + i)),
      plane: inputRules[rule].hasPlane ? read(entry.second) : [],
      log: () => kernels.call('log', 1),
    });
    return [...read(entry.values), ...op.setLocal(locals.node(id)), ...value];
  };

  const emitPixel = (node: PixelNode): Code => {
    const { op: name, type, args } = node;
    const operands = args.map((arg, index) => {
      const wantsLanes =
        name.startsWith('logical_') || (name === 'where' && (index === 0 || type === 'boolean'));
      return wantsLanes ? nodeValue(arg) : numberOf(arg);
    });
    return emitOperation(node, operands) ?? [...operands.flat(), ...kernels.call(name, args.length)];
  };

  const emitNode = (node: TypedNode, id: NodeId, quarter: number): Code => {
    if (node.op === 'constant') return [];
    const code = node.op === 'input' ? emitBand(node.input, id, quarter) : emitPixel(node as PixelNode);
    return [...code, ...op.setLocal(locals.node(id))];
  };

  const emitOutput = (output: number, quarter: number): Code => {
    const { value, absent } = outputs[output] as TypedTree['outputs'][number];
    const { values } = table.outputs[output] as TablePlan['outputs'][number];
    const number = numberOf(value);
    const result =
      absent === null
        ? number
        : [...op.splat(Number.NaN), ...number, ...nodeValue(absent), ...op.plain.bitSelect];
    return [
      ...[...addressOf(values), ...result, ...op.teeLocal(locals.scratch), ...op.storeVector(16 * quarter)],
      ...[...op.getLocal(locals.scratch), ...op.getLocal(locals.scratch), ...op.plain.eq],
      ...op.setLocal(locals.isNumber(output, quarter)),
    ];
  };

  /** A mask has one byte where a value has four. */
  const pixelAt = [...op.getLocal(locals.at), ...op.int(2), ...op.plain.shiftRightInt];
  const emitMask = (output: number): Code => {
    const { mask, before, stride } = table.outputs[output] as TablePlan['outputs'][number];
    const flag = (quarter: number): Code => op.getLocal(locals.isNumber(output, quarter));
    const had = [
      ...[...op.getLocal(locals.int(before)), ...pixelAt, ...op.getLocal(locals.int(stride))],
      ...[...op.plain.andInt, ...op.plain.addInt, ...op.loadVector(0)],
    ];
    const has = [
      ...[...flag(0), ...flag(1), ...op.plain.narrowFour],
      ...[...flag(2), ...flag(3), ...op.plain.narrowFour],
      ...op.plain.narrowEight,
    ];
    return [
      ...[...op.getLocal(locals.int(mask)), ...pixelAt, ...op.plain.addInt],
      ...[...had, ...has, ...op.plain.and, ...op.storeVector(0)],
    ];
  };

  return {
    table: () => [
      ...Array.from({ length: table.ints }, (_, index) => [
        ...[...op.getLocal(locals.table), ...op.loadInt(4 * index), ...op.setLocal(locals.int(index))],
      ]).flat(),
      ...Array.from({ length: table.parameters }, (_, index) => [
        ...[...op.getLocal(locals.table), ...op.loadSplat(4 * (table.ints + index))],
        ...op.setLocal(locals.parameter(index)),
      ]).flat(),
    ],
    constants: () =>
      nodes.flatMap((node, id) =>
        node.op === 'constant'
          ? [...emitConstant(node.type === 'boolean', node.value), ...op.setLocal(locals.node(id))]
          : [],
      ),
    quarter: (quarter) => [
      ...nodes.flatMap((node, id) => emitNode(node, id, quarter)),
      ...outputs.flatMap((_, output) => emitOutput(output, quarter)),
    ],
    masks: () => outputs.flatMap((_, output) => emitMask(output)),
  };
}

/** A constant in all lanes: a number, or lanes of ones or zeros. */
const emitConstant = (isBoolean: boolean, value: number): Code =>
  isBoolean && value !== 0 ? [...op.splat(0), ...op.splat(0), ...op.plain.eq] : op.splat(value);
