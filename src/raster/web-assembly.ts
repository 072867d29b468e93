/** A memory that a compiled module exports. */
export interface WasmMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

interface WasmGlobal {
  readonly Module: new (bytes: Uint8Array<ArrayBuffer>) => object;
  readonly Instance: new (
    module: object,
    imports?: Readonly<Record<string, object>>,
  ) => { readonly exports: unknown };
}

// The types of WebAssembly come only with the DOM library, which would also declare a window and a document.
const { Module, Instance } = (globalThis as unknown as { WebAssembly: WasmGlobal }).WebAssembly;

/** Compiles and instantiates a module with its imports, by the name of the import module; returns its exports. */
export const instantiate = (
  bytes: Uint8Array<ArrayBuffer>,
  imports: Readonly<Record<string, object>> = {},
): unknown => new Instance(new Module(bytes), imports).exports;
