import type { Code } from './module-bytes.ts';
import { float32, signed, unsigned } from './module-bytes.ts';

const vector = (opcode: number): Code => [0xfd, ...unsigned(opcode)];

/** Instructions without immediates, whose operands are all on the stack (core specification, chapter 7.10). */
export const plain = {
  eq: vector(0x41),
  ne: vector(0x42),
  lt: vector(0x43),
  gt: vector(0x44),
  le: vector(0x45),
  not: vector(0x4d),
  and: vector(0x4e),
  andNot: vector(0x4f),
  or: vector(0x50),
  xor: vector(0x51),
  /** Bits of the first where the third has ones, of the second elsewhere. */
  bitSelect: vector(0x52),
  ceil: vector(0x67),
  floor: vector(0x68),
  trunc: vector(0x69),
  nearest: vector(0x6a),
  abs: vector(0xe0),
  neg: vector(0xe1),
  sqrt: vector(0xe3),
  add: vector(0xe4),
  sub: vector(0xe5),
  mul: vector(0xe6),
  div: vector(0xe7),
  min: vector(0xe8),
  max: vector(0xe9),
  /** Narrows lanes of ones and zeros: four in each of two vectors to eight, and eight to sixteen. */
  narrowFour: vector(0x85),
  narrowEight: vector(0x65),
  addInt: [0x6a],
  andInt: [0x71],
  shiftRightInt: [0x76],
  lessInt: [0x48],
} as const satisfies Readonly<Record<string, Code>>;

export const getLocal = (local: number): Code => [0x20, ...unsigned(local)];
export const setLocal = (local: number): Code => [0x21, ...unsigned(local)];
/** Sets a local and leaves the value on the stack. */
export const teeLocal = (local: number): Code => [0x22, ...unsigned(local)];
export const call = (index: number): Code => [0x10, ...unsigned(index)];
export const int = (value: number): Code => [0x41, ...signed(value)];

/** The same float32 in all four lanes. */
export const splat = (value: number): Code => [0x43, ...float32(value), ...vector(0x13)];

/** An int32 at the address on the stack, plus `offset`. */
export const loadInt = (offset: number): Code => [0x28, 0x02, ...unsigned(offset)];
/** A float32 at the address on the stack, plus `offset`, in all four lanes. */
export const loadSplat = (offset: number): Code => [...vector(0x09), 0x02, ...unsigned(offset)];
/** Sixteen bytes at the address on the stack, plus `offset`. */
export const loadVector = (offset: number): Code => [...vector(0x00), 0x04, ...unsigned(offset)];
/** Stores sixteen bytes at the address below them on the stack, plus `offset`. */
export const storeVector = (offset: number): Code => [...vector(0x0b), 0x04, ...unsigned(offset)];

/** Repeats a body until it leaves 0 on the stack; runs it at least once. */
export const loopWhile = (body: Code): Code => [0x03, 0x40, ...body, 0x0d, 0x00, 0x0b];
