/** The parts of WebAssembly's binary format (core specification, chapter 5) that band math needs. */

/** Bytes of a module or of a part of it. */
export type Code = readonly number[];

/** Value types. */
export const valueType = { i32: 0x7f, v128: 0x7b } as const;

/** An unsigned LEB128 number. */
export function unsigned(value: number): Code {
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
export function signed(value: number): Code {
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
export function float32(value: number): Code {
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
