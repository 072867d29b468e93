/**
 * CPU time of reading one deflate block compared with rasterio and with Node's zlib: `npm run bench -- decode`.
 *
 * Rounds alternate, and the best round of each side counts, because on a shared machine the least disturbed one is
 * the most meaningful. `--data <file>` takes blocks of a single-band TIFF with deflate and a predictor from its middle; by
 * default a band of a scene and an elevation model are made. Needs python3 with rasterio.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { inflateSync } from 'node:zlib';
import { openBlockFile } from '../../src/formats/block-file/index.ts';
import { createCog } from '../../src/formats/cog/index.ts';
import { makeJp2Decoder } from '../../src/formats/jp2/index.ts';
import type { TiffImage } from '../../src/formats/tiff/index.ts';
import { openTiff, readBlock } from '../../src/formats/tiff/index.ts';
import { decodeFloating, decodeHorizontalBytes } from '../../src/formats/tiff/samples/predictor.ts';
import { openFileSource } from '../../src/sources/local-files.ts';
import { writeDem } from '../terrain/make-dem.ts';
import { makeBand, SIZE_PX, TRANSFORM } from '../tiles/make-band.ts';

const { values } = parseArgs({
  options: { data: { type: 'string' }, rounds: { type: 'string', default: '7' } },
});
/** Blocks on each side of the square that is read. */
const SIDE = 5;

async function writeScene(path: string): Promise<void> {
  const cog = await createCog(path, {
    width: SIZE_PX,
    height: SIZE_PX,
    bandCount: 1,
    type: 'uint16',
    nodata: 0,
    epsg: 32636,
    transform: TRANSFORM,
    compression: 'deflate',
    predictor: 2,
  });
  for (let row = 0; row < SIZE_PX; row += 256) {
    const rows = Math.min(256, SIZE_PX - row);
    await cog.writeRows([makeBand(0, { firstRow: row, rows, sizePx: SIZE_PX })], rows);
  }
  await cog.finish();
}

/** CPU milliseconds a block. */
async function measure(blocks: number, work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / blocks;
}

/** Undoes the predictor in JavaScript. */
function decodePlainly(raw: Uint8Array, { bits, blockWidth, predictor }: TiffImage): void {
  if (predictor === 3) decodeFloating(raw, blockWidth, 1, bits / 8);
  else if (predictor === 2) decodeHorizontalBytes(raw, bits as 8 | 16 | 32 | 64, blockWidth, 1);
}

async function compare(file: string): Promise<void> {
  const source = await openFileSource(file);
  const tiff = await openTiff(source);
  const blockFile = await openBlockFile(source, { jp2Decoder: makeJp2Decoder() });
  const [image] = tiff.images;
  const { blockWidth, blockHeight, blocksAcross, blocksDown } = image;
  const blockBytes = (blockWidth * blockHeight * image.bits) / 8;
  const start = (count: number) => Math.max(0, (count - SIDE) >> 1);
  const positions = Array.from({ length: SIDE * SIDE }, (_, i) => ({
    band: 0,
    column: Math.min(start(blocksAcross) + (i % SIDE), blocksAcross - 1),
    row: Math.min(start(blocksDown) + Math.floor(i / SIDE), blocksDown - 1),
  }));

  const ways: Readonly<Record<string, () => Promise<number> | number>> = {
    Swath: () =>
      measure(positions.length, async () => {
        for (const position of positions) await readBlock(tiff, image, position);
      }),
    'Swath, the upper half': () =>
      measure(positions.length, async () => {
        for (const position of positions) await blockFile.readRows(0, position, { rows: blockHeight >> 1 });
      }),
    'Node zlib and a plain predictor': () =>
      measure(positions.length, async () => {
        for (const { column, row } of positions) {
          const number = row * blocksAcross + column;
          const stored = await source.read(image.blockOffsets[number]!, image.blockSizes[number]!);
          const raw = inflateSync(stored, { maxOutputLength: blockBytes, chunkSize: blockBytes + 1 });
          decodePlainly(raw, image);
        }
      }),
    rasterio: () => {
      const blocks = positions.map(({ column, row }) => [column, row]);
      const peer = new URL('./peer.py', import.meta.url).pathname;
      const input = JSON.stringify({ file, blocks });
      return Number(execFileSync('python3', [peer], { input, encoding: 'utf8' }));
    },
  };
  const best = new Map<string, number>();
  for (let round = 0; round < Number(values.rounds); round++) {
    for (const [name, run] of Object.entries(ways)) {
      best.set(name, Math.min(best.get(name) ?? Infinity, await run()));
    }
  }
  await source.close();
  console.log(
    `CPU ms per ${blockWidth} × ${blockHeight} block of ${image.type}, deflate with predictor ${image.predictor}`,
  );
  const peer = best.get('rasterio')!;
  for (const [name, spentMs] of best) {
    console.log(
      name.padEnd(34),
      spentMs.toFixed(2).padStart(7),
      `${(peer / spentMs).toFixed(2)} ×`.padStart(9),
    );
  }
}

if (values.data !== undefined) {
  await compare(resolve(values.data));
} else {
  const scratch = mkdtempSync(join(tmpdir(), 'swath-bench-'));
  try {
    const [scene, dem] = [join(scratch, 'scene.tif'), join(scratch, 'dem.tif')];
    await writeScene(scene);
    await compare(scene);
    await writeDem(dem, SIDE * 512);
    await compare(dem);
  } finally {
    rmSync(scratch, { recursive: true });
  }
}
