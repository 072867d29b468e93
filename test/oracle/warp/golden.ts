import { writeFileSync } from 'node:fs';
import type { WarpPlan } from '../../../src/raster/index.ts';
import type { WarpCase } from './warp-cases.ts';

/** A judged case with GDAL's answer. */
export interface GoldenCase extends WarpCase {
  readonly plan: WarpPlan;
  readonly expected: { readonly mask: Uint8Array; readonly bands: readonly Float32Array[] };
}

const folder = new URL('../../golden/warp/', import.meta.url);

/**
 * Stores cases of one scene: `cases.json` says what, `source.bin` and `expected.bin` hold the numbers (for the scene and
 * for each case in order: the mask, one byte a pixel, then each band as little-endian float32). Returns the bytes written.
 */
export function writeGolden(cases: readonly GoldenCase[]): number {
  const scene = cases[0]!.scene;
  const index = {
    source: { ...scene.grid, bandCount: scene.bands.length },
    cases: cases.map(({ name, target, method, plan }) => ({ name, method, target, plan })),
  };
  const text = `${JSON.stringify(index, null, 1)}\n`;
  const source = pack(scene);
  const expected = Buffer.concat(cases.map((one) => pack(one.expected)));
  writeFileSync(new URL('cases.json', folder), text);
  writeFileSync(new URL('source.bin', folder), source);
  writeFileSync(new URL('expected.bin', folder), expected);
  return text.length + source.length + expected.length;
}

function pack({ mask, bands }: { mask: Uint8Array; bands: readonly Float32Array[] }): Buffer {
  return Buffer.concat([mask, ...bands.map(({ buffer }) => new Uint8Array(buffer as ArrayBuffer))]);
}
