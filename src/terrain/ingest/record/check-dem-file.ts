import type { SwathError } from '../../../errors.ts';
import { cancelled, isSwathError } from '../../../errors.ts';
import type { BlockFile } from '../../../formats/block-file/index.ts';
import { openBlockFile } from '../../../formats/block-file/index.ts';
import type { BlockPosition } from '../../../formats/tiff/index.ts';
import type { HeaderDeps } from '../../../ingest/index.ts';
import type { DemFile } from '../../dems/dem.ts';

/** Blocks that are read at the same time: enough to keep a disk busy while one is decoded. */
const BLOCKS_AT_ONCE = 4;

/** Reads and decodes every block of a file, those of its reduced copies too; throws what is wrong with the first bad one. */
export async function checkDemFile(
  { open, jp2Decoder, signal }: HeaderDeps,
  { href, bandIndex, sidecars = [] }: Pick<DemFile, 'href' | 'bandIndex' | 'sidecars'>,
): Promise<void> {
  const source = await open(href, signal);
  try {
    const suffixes = sidecars.filter((suffix) => suffix === '.ovr');
    const file = await openBlockFile(source, { jp2Decoder, signal, sidecars: { href, suffixes, open } });
    try {
      for (const level of file.levels.keys()) await checkLevel(file, { level, bandIndex }, signal);
    } finally {
      if (file.source !== source) await file.source.close();
    }
  } finally {
    await source.close();
  }
}

async function checkLevel(
  file: BlockFile,
  { level, bandIndex }: { readonly level: number; readonly bandIndex: number },
  signal: AbortSignal | undefined,
): Promise<void> {
  const { blocksAcross, blocksDown } = file.levels[level]!;
  let next = 0;
  const readOn = async (): Promise<void> => {
    while (next < blocksAcross * blocksDown) {
      const number = next++;
      const position = {
        band: bandIndex,
        column: number % blocksAcross,
        row: Math.floor(number / blocksAcross),
      };
      await checkBlock(file, { level, position }, signal).catch((error: unknown) => {
        // The others end after the block at hand.
        next = Number.POSITIVE_INFINITY;
        throw error;
      });
    }
  };
  await Promise.all(Array.from({ length: BLOCKS_AT_ONCE }, readOn));
}

async function checkBlock(
  file: BlockFile,
  { level, position }: { readonly level: number; readonly position: BlockPosition },
  signal: AbortSignal | undefined,
): Promise<void> {
  if (signal?.aborted) throw cancelled('ingest-stopped', 'Checking the file was stopped.');
  const block = await file.readBlock(level, position, signal);
  await file.readMask(level, position, block, signal);
}

/** Codes of storage for a server, a link or a right that is missing at the moment; the file itself may be fine. */
const PASSING_CODES = new Set([
  'source-cut-off',
  'source-failing',
  'source-redirected',
  'source-refused',
  'source-resting',
  'source-unreachable',
  'source-untrusted',
  'source-wrong-range',
  'token-refused',
]);

/** Whether an error says that the file itself is bad, so that another attempt to read it would fail too. */
export const isDamage = (error: unknown): error is SwathError =>
  isSwathError(error) &&
  (error.tag === 'source-broken' || error.tag === 'too-large' || error.tag === 'unsupported') &&
  !PASSING_CODES.has(error.code);
