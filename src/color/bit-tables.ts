import type { BitsPlan } from './color-plan.ts';

/** Palette entries per word. */
const GROUP = 32;
const BYTES = 256;

/**
 * The lookup tables of kernels/paint-bits.ts: for each 32 entries, which of them a lower byte satisfies, and which a
 * higher byte does. This takes two reads, where the values themselves would need a table of 65,536.
 */
export function toBitTables({ bits }: BitsPlan): { readonly tables: Uint32Array; readonly groups: number } {
  const groups = Math.max(1, Math.ceil(bits.length / GROUP));
  const tables = new Uint32Array(groups * 2 * BYTES);
  for (const [entry, of] of bits.entries()) {
    const wanted = of.reduce((all, bit) => all | (1 << bit), 0);
    const at = Math.floor(entry / GROUP) * 2 * BYTES;
    for (const [half, needs] of [wanted & 0xff, wanted >> 8].entries()) {
      for (let byte = needs; byte < BYTES; byte++) {
        if ((byte & needs) === needs) tables[at + half * BYTES + byte]! |= 1 << (entry % GROUP);
      }
    }
  }
  return { tables, groups };
}
