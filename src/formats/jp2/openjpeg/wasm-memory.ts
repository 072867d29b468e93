import { internal } from '../../../errors.ts';

/** Bytes of a page of WebAssembly memory. */
const PAGE_BYTES = 65_536;
/** Magic number and version come before the first section. */
const PREFIX_BYTES = 8;
const MEMORY_SECTION = 5;

/** A whole number in seven bits a byte, lowest first, and where it ends (WebAssembly core, 5.2.2). */
function readLeb(bytes: Uint8Array, offset: number): { readonly value: number; readonly end: number } {
  let value = 0;
  for (let at = offset, scale = 1; at < bytes.length; at++, scale *= 128) {
    value += (bytes[at]! & 0x7f) * scale;
    if (bytes[at]! < 0x80) return { value, end: at + 1 };
  }
  throw internal('bad-wasm', 'A WebAssembly module ends in the middle of a number.');
}

function toLeb(value: number): number[] {
  const low = value % 128;
  return value < 128 ? [low] : [low + 128, ...toLeb(Math.floor(value / 128))];
}

/**
 * The same module with a smaller maximum for its memory. OpenJPEG's build allows itself 2 GiB; a module can only be
 * held to less by what it says itself, and a decoder that meets the maximum reports that there is no memory.
 */
export function limitMemory(module: Uint8Array, maxBytes: number): Uint8Array {
  for (let at = PREFIX_BYTES; at < module.length; ) {
    const size = readLeb(module, at + 1);
    const end = size.end + size.value;
    if (module[at] === MEMORY_SECTION) {
      // how many memories, then for each: flags, pages at the start, pages at most
      const count = readLeb(module, size.end);
      const initial = readLeb(module, count.end + 1);
      const maxPages = Math.floor(maxBytes / PAGE_BYTES);
      if (count.value !== 1 || initial.value > maxPages) break;
      const content = [1, 1, ...toLeb(initial.value), ...toLeb(maxPages)];
      const section = Uint8Array.from([MEMORY_SECTION, ...toLeb(content.length), ...content]);
      return Buffer.concat([module.subarray(0, at), section, module.subarray(end)]);
    }
    at = end;
  }
  throw internal('bad-wasm', 'A WebAssembly module has no memory that can be limited.');
}
