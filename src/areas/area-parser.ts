import type { MultiPolygonGeometry } from '../geo/index.ts';
import { countPositions } from './count-positions.ts';
import { parseAreaGeometry } from './parse-area.ts';
import type { WrittenArea } from './write-area.ts';
import { writeArea } from './write-area.ts';

/** Whose area it is, and when nobody waits for it any more. */
export interface AreaCaller {
  readonly owner: string;
  readonly signal?: AbortSignal;
}

/** Reads areas without holding up the calling thread. */
export interface AreaParser {
  /** Reads an area from the text of a request and writes it as a store keeps it. */
  write(text: string, caller: AreaCaller): Promise<WrittenArea>;
  /** Reads the geometry of an area alone. */
  parse(geometry: unknown, caller: AreaCaller): Promise<MultiPolygonGeometry>;
}

/** Runs a job of `areaJobs` on another thread. */
type RunAreaJob = (
  job: { readonly kind: 'write-area' | 'parse-area'; readonly input: unknown },
  caller: AreaCaller,
) => Promise<unknown>;

/**
 * What is parsed at once: about a millisecond's work. Checking that 10,000 positions make a valid area takes 25 ms, in
 * which nothing else would be answered.
 */
const SMALL_TEXT = 16_384;
const SMALL_POSITIONS = 400;

/** Builds the parser: small areas at once, large ones on another thread. */
export function makeAreaParser(run: RunAreaJob): AreaParser {
  return {
    async write(text, caller) {
      const { owner } = caller;
      if (text.length <= SMALL_TEXT) return writeArea(text, owner);
      return (await run({ kind: 'write-area', input: { text, owner } }, caller)) as WrittenArea;
    },
    async parse(geometry, caller) {
      if (countPositions(geometry) <= SMALL_POSITIONS) return parseAreaGeometry(geometry);
      return (await run({ kind: 'parse-area', input: { geometry } }, caller)) as MultiPolygonGeometry;
    },
  };
}
