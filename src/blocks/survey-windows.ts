import { isSwathError } from '../errors.ts';
import type { StoredRange } from '../formats/block-file/index.ts';
import { toBlockNumber } from '../formats/tiff/index.ts';
import type { Size } from '../geo/index.ts';
import type { JobContext, JobHandlers, JobRunner, JobType, Ticket } from '../pool/index.ts';
import type { ByteRange, ByteSource } from '../sources/index.ts';
import { MIB } from '../units.ts';
import type { BlockCache } from './cache/block-cache.ts';
import type { OpenFiles, WindowRequest } from './image-files.ts';
import { blockBytes, countRows, levelOf, listBlocks } from './image-files.ts';

/** What reading a window would take, by the header of its file. */
export interface WindowSurvey {
  readonly format: 'tiff' | 'jp2';
  readonly levelSize: Size;
  readonly blockSize: Size;
  /** Blocks of the file that the window touches. */
  readonly blocks: number;
  /** Blocks that were looked at: the first ones of a very large window. All numbers below are of these. */
  readonly surveyedBlocks: number;
  /** Blocks whose pixels are in the cache. */
  readonly cachedBlocks: number;
  /** Bytes of the other blocks in the file; an estimate for JPEG 2000, which stores resolutions mixed. */
  readonly storedBytes: number;
  /** The pixels of the other blocks, once they are decoded. */
  readonly decodedBytes: number;
  /** Stored bytes of a remote file that are on this machine already. */
  readonly memoryBytes: number;
  readonly diskBytes: number;
}

/** Why a file cannot be read, as its reader would report it. */
export interface FileProblem {
  readonly code: string;
  readonly message: string;
}

/** The job of looking at headers and caches without reading pixels; one result for each window. */
export type SurveyJobs = { 'survey-windows': JobType<readonly WindowRequest[], readonly Surveyed[]> };

/** A window, or what is wrong with its file. */
type Surveyed = WindowSurvey | { readonly problem: FileProblem };

/** What was found of a window: both null if it was not looked at. */
export interface WindowFindings {
  readonly survey: WindowSurvey | null;
  /** Why the file cannot be read. */
  readonly problem: FileProblem | null;
}

/** Looks at the headers of files and at the caches, on the pool; one result for each window, and no pixel is read. */
export type SurveyWindows = (
  windows: readonly WindowRequest[],
  ticket: Ticket,
) => Promise<readonly WindowFindings[]>;

/** Memory of some headers at once. */
const SURVEY_BYTES = 16 * MIB;
/** The max number of windows that are looked at for one answer. */
const MAX_WINDOWS = 200;

/** Builds it; a file in another state than planned is an error, after which one plans again. */
export const makeSurveyWindows =
  (pool: JobRunner<SurveyJobs>): SurveyWindows =>
  async (windows, ticket) => {
    const first = windows.slice(0, MAX_WINDOWS);
    const surveyed =
      first.length === 0
        ? []
        : (await pool.run('survey-windows', first, { ...ticket, bytes: SURVEY_BYTES })).output;
    return windows.map((_, i) => toFindings(surveyed[i]));
  };

function toFindings(surveyed: Surveyed | undefined): WindowFindings {
  if (surveyed === undefined) return { survey: null, problem: null };
  return 'problem' in surveyed
    ? { survey: null, problem: surveyed.problem }
    : { survey: surveyed, problem: null };
}

/** The max number of blocks of one window that are looked at. */
const MAX_BLOCKS = 4_096;

interface SurveyDeps {
  /** Those that the thread reads pixels with. */
  readonly files: OpenFiles;
  readonly blocks: Pick<BlockCache, 'has'>;
}

/** The handler, for a thread of the pool. */
export const makeSurveyJobs = (deps: SurveyDeps): JobHandlers<SurveyJobs> => ({
  'survey-windows': (windows, { signal }: JobContext) =>
    Promise.all(windows.map((request) => surveyOrProblem(request, deps, signal))),
});

/** Failures that a reader of the file would report to its caller. */
const REPORTED: ReadonlySet<string> = new Set(['source-broken', 'unavailable', 'timed-out', 'too-large']);

async function surveyOrProblem(
  request: WindowRequest,
  deps: SurveyDeps,
  signal: AbortSignal,
): Promise<Surveyed> {
  try {
    return await surveyWindow(request, deps, signal);
  } catch (error) {
    deps.files.forget(request);
    // A replaced file is planned again, as for a picture.
    if (!isSwathError(error) || !REPORTED.has(error.tag) || error.code === 'source-changed') throw error;
    return { problem: { code: error.code, message: error.message } };
  }
}

async function surveyWindow(
  request: WindowRequest,
  { files, blocks }: SurveyDeps,
  signal: AbortSignal,
): Promise<WindowSurvey> {
  const { level, window } = request.read;
  const { file, key } = await files.open(request, signal);
  const image = levelOf(file, request);
  const positions = listBlocks(window, image, request.bandIndex);
  const surveyed = positions.slice(0, MAX_BLOCKS);
  const missing = surveyed.filter(
    (position) =>
      !blocks.has(
        { file: key, level, number: toBlockNumber(image, position) },
        countRows(window, image, position),
      ),
  );
  const ranges = missing.flatMap((position) => file.storedRanges(level, position));
  return {
    format: file.format,
    levelSize: { width: image.width, height: image.height },
    blockSize: { width: image.blockWidth, height: image.blockHeight },
    blocks: positions.length,
    surveyedBlocks: surveyed.length,
    cachedBlocks: surveyed.length - missing.length,
    storedBytes: ranges.reduce((sum, { length }) => sum + length, 0),
    decodedBytes: missing.length * blockBytes(image),
    ...(await locateRanges(ranges, signal)),
  };
}

/** Where the bytes of a remote file are: in memory, on disk, or only in the store. */
async function locateRanges(
  ranges: readonly StoredRange[],
  signal: AbortSignal,
): Promise<Pick<WindowSurvey, 'memoryBytes' | 'diskBytes'>> {
  const bySource = new Map<ByteSource, ByteRange[]>();
  for (const { source, offset, length } of ranges) {
    const list = bySource.get(source) ?? [];
    bySource.set(source, list);
    list.push({ offset, length });
  }
  let [memoryBytes, diskBytes] = [0, 0];
  for (const [source, list] of bySource) {
    const located = await source.locate?.(list, signal);
    memoryBytes += located?.memory ?? 0;
    diskBytes += located?.disk ?? 0;
  }
  return { memoryBytes, diskBytes };
}
