import type { MultiPolygonGeometry } from '../geo/index.ts';
import type { JobRunner, Ticket } from '../pool/index.ts';
import type { AreaJobs } from './area-jobs.ts';
import { countPositions } from './count-positions.ts';
import { parseSearchGeometry } from './parse-area.ts';
import type { WrittenArea } from './write-area.ts';
import { writeArea } from './write-area.ts';

/** Parses areas without blocking the calling thread. */
export interface AreaParser {
  /** Parses an area from the text of a request and serializes it for the store. */
  write(text: string, ticket: Ticket): Promise<WrittenArea>;
  /** Parses the geometry of a search: like that of an area, but its polygons may overlap. */
  parse(geometry: unknown, ticket: Ticket): Promise<MultiPolygonGeometry>;
}

/** Memory to check the largest area: lists of 10,000 positions and of the edges between them. */
const AREA_BYTES = 16 * 2 ** 20;

/**
 * What is parsed at once: about a millisecond's work. Validating 10,000 positions takes 25 ms, in which the thread
 * would answer nothing else.
 */
const SMALL_TEXT = 16_384;
const SMALL_POSITIONS = 400;

/** Builds the parser: small areas at once, large ones on another thread. */
export function makeAreaParser(pool: JobRunner<AreaJobs>): AreaParser {
  return {
    async write(text, ticket) {
      const { owner } = ticket;
      if (text.length <= SMALL_TEXT) return writeArea(text, owner);
      return (await pool.run('write-area', { text, owner }, { ...ticket, bytes: AREA_BYTES })).output;
    },
    async parse(geometry, ticket) {
      if (countPositions(geometry) <= SMALL_POSITIONS) return parseSearchGeometry(geometry);
      return (await pool.run('parse-area', { geometry }, { ...ticket, bytes: AREA_BYTES })).output;
    },
  };
}
