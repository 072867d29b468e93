/** WebAssembly: the parts of its binary format (core specification, chapter 5) that band math needs. */

/** Bytes of a module or of a part of it. */
export type Code = readonly number[];

/** Value types. */
export const valueType = { i32: 0x7f, v128: 0x7b } as const;

/** An unsigned LEB128 number. */
function unsigned(value: number): Code {
  const bytes: number[] = [];
  let rest = value;
  do {
    const low = rest % 128;
    rest = (rest - low) / 128;
    bytes.push(rest > 0 ? low + 128 : low);
  } while (rest > 0);
  return bytes;
}

/** A signed LEB128 number within 32 bits. */
function signed(value: number): Code {
  const bytes: number[] = [];
  let rest = value | 0;
  for (;;) {
    const low = rest & 0x7f;
    rest >>= 7;
    const isLast = (rest === 0 && (low & 0x40) === 0) || (rest === -1 && (low & 0x40) !== 0);
    bytes.push(isLast ? low : low | 0x80);
    if (isLast) return bytes;
  }
}

/** The four bytes of a float32, with the sign and the payload of a NaN unchanged. */
function float32(value: number): Code {
  return [...new Uint8Array(Float32Array.of(value).buffer)];
}

const text = (name: string): Code => [...unsigned(name.length), ...Buffer.from(name, 'latin1')];
const list = (items: readonly Code[]): Code => [...unsigned(items.length), ...items.flat()];
const section = (id: number, content: Code): Code => [id, ...unsigned(content.length), ...content];

/** A function's type. */
export interface Signature {
  readonly params: readonly number[];
  readonly results: readonly number[];
}

/** A module with one function of its own, `run`, that works in an imported memory. */
export interface ModuleParts {
  /** Functions of the import module `kernels`, called by their index in this list. */
  readonly imports: readonly { readonly name: string; readonly signature: Signature }[];
  readonly run: {
    readonly signature: Signature;
    /** In addition to the parameters. */
    readonly locals: readonly { readonly count: number; readonly type: number }[];
    /** Without the final `end`. */
    readonly body: Code;
  };
}

const PREAMBLE = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];
const KIND = { function: 0x00, memory: 0x02 } as const;

/** Assembles a module. */
export function toModuleBytes({ imports, run }: ModuleParts): Uint8Array<ArrayBuffer> {
  const signatures = [...imports.map(({ signature }) => signature), run.signature];
  const types = signatures.map(({ params, results }) => [
    0x60,
    ...list(params.map((type) => [type])),
    ...list(results.map((type) => [type])),
  ]);
  // One page is the minimum of any memory; a larger one may be passed in.
  const memory = [...text('kernels'), ...text('memory'), KIND.memory, 0x00, 0x01];
  const functions = imports.map(({ name }, i) => [
    ...text('kernels'),
    ...text(name),
    KIND.function,
    ...unsigned(i),
  ]);
  const locals = list(run.locals.map(({ count, type }) => [...unsigned(count), type]));
  const body = [...locals, ...run.body, 0x0b];
  return Uint8Array.from([
    ...PREAMBLE,
    ...section(1, list(types)),
    ...section(2, list([memory, ...functions])),
    ...section(3, list([unsigned(imports.length)])),
    ...section(7, list([[...text('run'), KIND.function, ...unsigned(imports.length)]])),
    ...section(10, list([[...unsigned(body.length), ...body]])),
  ]);
}

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
const call = (index: number): Code => [0x10, ...unsigned(index)];
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

/** The kernels that a module calls. */
export interface KernelCalls {
  /** Calls a kernel with operands on the stack. */
  call(name: string, arity: number): Code;
  /** In the order of the first calls. */
  imports(): ModuleParts['imports'];
}

/** Records which kernels are called; every operand and result is a vector. */
export function makeKernelCalls(): KernelCalls {
  const arities = new Map<string, number>();
  return {
    call(name, arity) {
      arities.set(name, arity);
      return call([...arities.keys()].indexOf(name));
    },
    imports: () =>
      [...arities].map(([name, arity]) => ({
        name,
        signature: {
          params: Array.from({ length: arity }, () => valueType.v128),
          results: [valueType.v128],
        },
      })),
  };
}
