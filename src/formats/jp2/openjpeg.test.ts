import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limitMemory } from './openjpeg.ts';

interface WasmGlobal {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (
    module: object,
  ) => { readonly exports: { readonly m: { grow(pages: number): number } } };
}
const { Module, Instance } = (globalThis as unknown as { WebAssembly: WasmGlobal }).WebAssembly;

/** A module that exports one memory of `limits`, and has a section before and after it. */
const makeModule = (...limits: readonly number[]): Uint8Array =>
  Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...[1, 4, 1, 0x60, 0, 0],
    ...[5, limits.length + 1, 1, ...limits],
    ...[7, 5, 1, 1, 0x6d, 2, 0],
  ]);

const grows = (module: Uint8Array, pages: number): boolean => {
  const { m } = new Instance(new Module(module)).exports;
  try {
    m.grow(pages);
    return true;
  } catch {
    return false;
  }
};

test('a limited memory grows to its limit and no further', () => {
  // two pages at first, with a maximum of 300 or none
  for (const module of [makeModule(1, 2, 0xac, 2), makeModule(0, 2)]) {
    assert.equal(grows(module, 250), true);
    const limited = limitMemory(module, 200 * 65_536);
    assert.equal(grows(limited, 198), true);
    assert.equal(grows(limited, 199), false);
  }
});

test('a module that starts above the limit, has no memory or is truncated is refused', () => {
  assert.throws(() => limitMemory(makeModule(0, 2), 65_536), { code: 'bad-wasm' });
  assert.throws(() => limitMemory(makeModule(0, 2).subarray(0, 14), 2 ** 20), { code: 'bad-wasm' });
  assert.throws(() => limitMemory(makeModule(0, 2).subarray(0, 9), 2 ** 20), { code: 'bad-wasm' });
});
