import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { brotliCompressSync } from 'node:zlib';
import type { PictureJob } from './ask-service.ts';
import type { GoldenIndex } from './golden-file.ts';
import { GOLDEN_FOLDER } from './golden-file.ts';

/** Keeps what GDAL, NumPy and matplotlib have made of the golden pictures; returns the bytes written. */
export function writeGolden(jobs: readonly PictureJob[]): number {
  const stored = jobs.flatMap(({ name, golden }) => (golden === undefined ? [] : [{ name, ...golden }]));
  const index: GoldenIndex = { pictures: stored.map(({ name, product, path }) => ({ name, product, path })) };
  const text = `${JSON.stringify(index, null, 2)}\n`;
  const bytes = brotliCompressSync(Buffer.concat(stored.map(({ file }) => readFileSync(file))));
  mkdirSync(GOLDEN_FOLDER, { recursive: true });
  writeFileSync(new URL('index.json', GOLDEN_FOLDER), text);
  writeFileSync(new URL('computed.br', GOLDEN_FOLDER), bytes);
  return text.length + bytes.length;
}
