import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { TRANSFORM } from '../tiles/make-band.ts';
import type { FileFacts, PeerFolders, PeerWork } from './gdal.ts';
import { readFacts, toBands, toNdvi, toPicture } from './gdal.ts';
import type { Order } from './orders.ts';
import { COLORS, CROPPED_BANDS, NDVI, PICTURE, THREE_BANDS } from './orders.ts';
import { demand, printRow, printSpent } from './report.ts';
import { runPrograms } from './run-programs.ts';
import type { Service } from './service.ts';
import type { Spent } from './spent.ts';
import { toMedian } from './spent.ts';

/** A file that both sides make. */
interface Comparison {
  readonly name: string;
  readonly order: Order;
  /** The most wall time of Swath, as a part of that of GDAL. */
  readonly limit: number;
  /** What GDAL does to make what Swath made. */
  toPeer(folders: PeerFolders, own: FileFacts): PeerWork;
}

/** All comparisons, by their names in `--only`. */
export const COMPARISONS: Readonly<Record<string, Comparison>> = {
  ndvi: { name: 'NDVI of a whole scene, Float32', order: NDVI, limit: 0.5, toPeer: toNdvi },
  bands: {
    name: '3 bands, whole',
    order: THREE_BANDS,
    limit: 0.1,
    toPeer: (folders) => toBands(folders, COLORS, null),
  },
  crop: {
    name: '3 bands, cropped within blocks',
    order: CROPPED_BANDS,
    limit: 0.4,
    toPeer: (folders, own) => toBands(folders, COLORS, toWindow(own)),
  },
  picture: {
    name: 'JPEG of 3 bands in EPSG:3857, cubic',
    order: PICTURE,
    limit: 0.4,
    toPeer: (folders, own) => toPicture(folders, COLORS, own),
  },
};

/** Where a file lies in the pixels of the scene. */
function toWindow({ width, height, geoTransform: [left, pixelSize, , top] }: FileFacts): readonly number[] {
  return [(left - TRANSFORM[0]) / pixelSize, (TRANSFORM[3] - top) / pixelSize, width, height];
}

/** The facts of the file that Swath makes; of a JPEG, which does not say where it lies, those of its TIFF. */
async function readOwnFacts(service: Service, { type, params }: Order, work: string): Promise<FileFacts> {
  const { id, link } = await service.make({
    type,
    params: type === 'jpeg' ? { ...params, format: 'tiff' } : params,
  });
  const path = join(work, 'own.tif');
  await service.download(link, path);
  await service.remove(id);
  const facts = readFacts(path);
  rmSync(path);
  return facts;
}

interface CompareOptions {
  readonly service: Service;
  readonly folders: PeerFolders;
  /** The version of GDAL; null measures Swath alone. */
  readonly gdal: string | null;
  readonly rounds: number;
}

/** Measures one comparison: both sides in turns, the medians count. */
export async function compare(
  { name, order, limit, toPeer }: Comparison,
  { service, folders, gdal, rounds }: CompareOptions,
): Promise<void> {
  const peer = gdal === null ? null : toPeer(folders, await readOwnFacts(service, order, folders.work));
  const [ours, theirs]: [Spent[], Spent[]] = [[], []];
  let [ourBytes, theirBytes] = [0, 0];
  for (let round = 0; round < rounds; round += 1) {
    if (peer !== null) {
      theirs.push(await runPrograms(peer.commands));
      theirBytes = statSync(peer.file).size;
      rmSync(peer.file);
    }
    const { result, spent } = await service.measure(() => service.make(order));
    ours.push(spent);
    ourBytes = await service.readLength(result.link);
    await service.remove(result.id);
  }
  const own = toMedian(ours);
  printSpent(`${name}: Swath`, own, ourBytes);
  if (peer === null) return;
  const other = toMedian(theirs);
  printSpent(`${name}: GDAL ${gdal}`, other, theirBytes);
  const [wall, cpu] = [own.wallS / other.wallS, own.cpuS / other.cpuS];
  printRow('  ratio', `${wall.toFixed(2)} ×`, `${cpu.toFixed(2)} ×`);
  demand(`at most ${limit} of the wall time of GDAL`, wall <= limit);
}
