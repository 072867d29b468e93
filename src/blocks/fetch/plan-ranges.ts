import { isSwathError } from '../../errors.ts';
import type { StoredRange } from '../../formats/index.ts';
import { HEAD_BYTES } from '../../sources/index.ts';
import type { WindowRequest } from '../band-file.ts';
import type { BlockCache } from '../cache/index.ts';
import { nameFault } from '../name-fault.ts';
import type { OpenFiles } from '../open-files.ts';
import { countRows, fits, listBlocks } from '../window-blocks.ts';

/** A range of a remote file that a job will read. */
export interface PlannedRange extends StoredRange {
  /** The window that needs it first, for messages and for forgetting its file after a failure. */
  readonly request: WindowRequest;
  readonly where: string;
}

interface PlanRangesDeps {
  readonly files: OpenFiles;
  readonly blocks: Pick<BlockCache, 'has'>;
}

/** Blocks of one window that are looked at: more is left to the job, which reads them in turns anyway. */
const MAX_BLOCKS = 1_024;

/** Opens the files of all windows at once and lists the ranges of their blocks, without those that are decoded already. */
export async function planRanges(
  windows: readonly WindowRequest[],
  deps: PlanRangesDeps,
  signal: AbortSignal,
): Promise<readonly PlannedRange[]> {
  const lists = await Promise.all(windows.map((request) => planWindow(request, deps, signal)));
  // Bands that are stored together share their blocks.
  const seen = new Map<unknown, Set<string>>();
  return lists.flat().filter(({ source, offset, length }) => {
    const known = seen.get(source) ?? new Set();
    seen.set(source, known);
    const name = `${offset} ${length}`;
    if (known.has(name)) return false;
    known.add(name);
    return true;
  });
}

async function planWindow(
  request: WindowRequest,
  { files, blocks }: PlanRangesDeps,
  signal: AbortSignal,
): Promise<readonly PlannedRange[]> {
  const { record, band, bandIndex, read } = request;
  const { level, window } = read;
  const openFile = async () => {
    try {
      return await files.open(request, signal);
    } catch (error) {
      if (!isSwathError(error) || error.tag !== 'cancelled') files.forget(request);
      throw nameFault(error, `${record.name} ${band} header`);
    }
  };
  const { file, key, main } = await openFile();
  const image = file.levels[level];
  // The job finds that out too, and says what is wrong.
  if (image === undefined || bandIndex >= image.bandCount || !fits(window, image)) return [];
  // A thread that has not opened the file yet reads its header first.
  const head = { source: main, offset: 0, length: Math.min(HEAD_BYTES, main.size) };
  const ranges: PlannedRange[] = [{ ...head, request, where: `${record.name} ${band} header` }];
  for (const position of listBlocks(window, image, bandIndex).slice(0, MAX_BLOCKS)) {
    const number = file.blockNumber(level, position);
    if (blocks.has({ file: key, level, number }, countRows(window, image, position))) continue;
    const where = `${record.name} ${band} level ${level}, block ${position.column}/${position.row}`;
    for (const range of file.storedRanges(level, position)) ranges.push({ ...range, request, where });
  }
  return ranges;
}
