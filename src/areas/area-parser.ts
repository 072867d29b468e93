import type { MultiPolygonGeometry } from '../geo/index.ts';
import type { JobRunner, Ticket } from '../pool/index.ts';
import type { AreaJobs } from './area-jobs.ts';
import { areaJobs } from './area-jobs.ts';
import type { CheckedArea } from './check-area.ts';
import type { WrittenArea } from './write-area.ts';

/** Parses areas without blocking the calling thread. */
export interface AreaParser {
  /** Parses an area from the text of a request and serializes it for the store. */
  write(text: string, ticket: Ticket): Promise<WrittenArea>;
  /** Checks an area from the text of a request, by the same rules, for work that stores nothing. */
  check(text: string, ticket: Ticket): Promise<CheckedArea>;
  /** The same of the normal form of a stored area, which is valid. */
  measure(geometry: string, ticket: Ticket): Promise<CheckedArea>;
  /** Parses the text of a search's geometry: like that of an area, but its polygons may overlap. */
  parse(text: string, ticket: Ticket): Promise<MultiPolygonGeometry>;
}

/** Memory to check the largest area: lists of 10,000 positions and of the edges between them. */
const AREA_BYTES = 16 * 2 ** 20;

/**
 * What is parsed at once: about a millisecond's work. Validating 10,000 positions takes 25 ms, in which the thread
 * would answer nothing else.
 */
const SMALL_TEXT = 16_384;

/** Builds the parser: small areas at once, large ones on another thread. */
export function makeAreaParser(pool: JobRunner<AreaJobs>): AreaParser {
  async function run<Kind extends keyof AreaJobs>(
    kind: Kind,
    input: AreaJobs[Kind]['input'],
    { chars, ticket }: { readonly chars: number; readonly ticket: Ticket },
  ): Promise<AreaJobs[Kind]['output']> {
    const handler = areaJobs[kind] as (given: typeof input) => AreaJobs[Kind]['output'];
    if (chars <= SMALL_TEXT) return handler(input);
    return (await pool.run(kind, input, { ...ticket, bytes: AREA_BYTES })).output;
  }

  return {
    write: (text, ticket) => run('write-area', { text, owner: ticket.owner }, { chars: text.length, ticket }),
    check: (text, ticket) => run('check-area', { text }, { chars: text.length, ticket }),
    measure: (geometry, ticket) => run('measure-area', { geometry }, { chars: geometry.length, ticket }),
    parse: (text, ticket) => run('parse-area', { text }, { chars: text.length, ticket }),
  };
}
