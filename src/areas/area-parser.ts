import { createHash } from 'node:crypto';
import type { AreaOutline, MultiPolygonGeometry } from '../geo/index.ts';
import { areaKm2, toOutline } from '../geo/index.ts';
import type { JobHandlers, JobRunner, JobType, Ticket } from '../pool/index.ts';
import { badInput } from './errors.ts';
import { uniteAreas } from './overlay.ts';
import type { Area, AreaFeature } from './parse-area.ts';
import { parseArea, parseSearchGeometry } from './parse-area.ts';

/** Parses areas without blocking the calling thread. */
export interface AreaParser {
  /** Parses an area from the text of a request and serializes it for the store. */
  write(text: string, ticket: Ticket): Promise<WrittenArea>;
  /** Checks an area from the text of a request, by the same rules, for work that stores nothing. */
  check(text: string, ticket: Ticket): Promise<CheckedArea>;
  /** The same for the normal form of a stored area, which is valid. */
  measure(geometry: string, ticket: Ticket): Promise<CheckedArea>;
  /** Parses the text of a search's geometry: like that of an area, but its polygons may overlap. */
  parse(text: string, ticket: Ticket): Promise<MultiPolygonGeometry>;
  /** All ground that stored areas cover, in their normal form; serialized for the store, with these properties. */
  unite(geometries: readonly string[], properties: AreaProperties, ticket: Ticket): Promise<WrittenArea>;
}

type AreaProperties = AreaFeature['properties'];

/**
 * An area that was checked, in the forms that jobs need. Passing them to another thread is cheap: a string is copied at
 * once, and an outline is in shared memory.
 */
export interface CheckedArea {
  /** The normal form as JSON: a MultiPolygon that is valid and within ±180 degrees. */
  readonly geometry: string;
  readonly outline: AreaOutline;
  readonly km2: number;
}

/** An area as it is stored: JSON strings. */
export interface WrittenArea {
  /** The feature as it was sent. */
  readonly feature: string;
  /** Its normal form: a MultiPolygon that is valid and within ±180 degrees. */
  readonly geometry: string;
  /** A digest of the feature and its owner: areas with equal digests are one area. */
  readonly digest: string;
}

/** Jobs on large areas, which are passed as JSON strings: copying these to a thread is cheap. */
export type AreaJobs = {
  'write-area': JobType<{ readonly text: string; readonly owner: string }, WrittenArea>;
  'check-area': JobType<{ readonly text: string }, CheckedArea>;
  'measure-area': JobType<{ readonly geometry: string }, CheckedArea>;
  'parse-area': JobType<{ readonly text: string }, MultiPolygonGeometry>;
  'unite-areas': JobType<
    { readonly geometries: readonly string[]; readonly properties: AreaProperties; readonly owner: string },
    WrittenArea
  >;
};

/** Memory to check the largest area: lists of 10,000 positions and of the edges between them. */
const AREA_BYTES = 16 * 2 ** 20;

/**
 * The longest string that is parsed on this thread, in about a millisecond. Validating 10,000 positions takes 25 ms, in
 * which the thread would answer nothing else.
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
    unite(geometries, properties, ticket) {
      const input = { geometries, properties, owner: ticket.owner };
      // Putting borders together takes several times as long as checking them.
      const chars = 8 * geometries.reduce((sum, { length }) => sum + length, 0);
      return run('unite-areas', input, { chars, ticket });
    },
  };
}

/** The handlers of these jobs. */
export const areaJobs = {
  'write-area': ({ text, owner }) => writeArea(text, owner),
  'check-area': ({ text }) => checkArea(text),
  'measure-area': ({ geometry }) => measureArea(geometry),
  'parse-area': ({ text }) => parseSearchGeometry(parseJson(text)),
  'unite-areas': ({ geometries, properties, owner }) => {
    const areas = geometries.map((geometry) => JSON.parse(geometry) as MultiPolygonGeometry);
    return serialize({ feature: { type: 'Feature', properties, geometry: uniteAreas(areas) } }, owner);
  },
} satisfies JobHandlers<AreaJobs>;

/** Checks an area from untrusted JSON text: 30 ms for the largest ones. */
export const checkArea = (text: string): CheckedArea => toChecked(parseArea(parseJson(text)).geometry);

/** The same for the normal form of a stored area, which was checked before. */
export const measureArea = (geometry: string): CheckedArea => ({
  ...toChecked(JSON.parse(geometry) as MultiPolygonGeometry),
  geometry,
});

const toChecked = (geometry: MultiPolygonGeometry): CheckedArea => ({
  geometry: JSON.stringify(geometry),
  outline: toOutline(geometry),
  km2: areaKm2(geometry),
});

/** Parses an area from untrusted JSON and serializes it for the store: 30 ms for the largest ones. */
export function writeArea(text: string, owner: string): WrittenArea {
  return serialize(parseArea(parseJson(text)), owner);
}

/** An area as it is stored; without a normal form of its own, its feature has it. */
function serialize(
  { feature, geometry = feature.geometry as MultiPolygonGeometry }: Pick<Area, 'feature'> & Partial<Area>,
  owner: string,
): WrittenArea {
  return {
    feature: JSON.stringify(feature),
    geometry: JSON.stringify(geometry),
    digest: digestArea(feature, owner),
  };
}

/**
 * A digest of a feature, as it was sent, and of its owner. Names inside properties may be in any order; the coordinates
 * are as sent, so that each way to write an area is read back as it was written.
 */
const digestArea = ({ properties, geometry }: AreaFeature, owner: string): string =>
  createHash('sha256')
    .update(JSON.stringify([owner, withSortedNames(properties), geometry.type, geometry.coordinates]))
    .digest('hex');

/** Objects as lists of their names and values: no name, not even `__proto__`, can affect the comparison. */
function withSortedNames(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSortedNames);
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return { object: entries.map(([name, inner]) => [name, withSortedNames(inner)]) };
}

/** Parses the JSON text of an area. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw badInput('bad-json', 'The body is not valid JSON.', { cause: error });
  }
}
