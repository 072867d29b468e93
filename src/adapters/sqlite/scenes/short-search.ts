/** Searches around a place with so few scenes that waking a thread takes longer than answering them. */
import type { DatabaseSync } from 'node:sqlite';
import type { SceneQuery } from '../../../catalog/index.ts';
import type { AreaGeometry, PointGeometry } from '../../../geo/index.ts';
import type { StoredHits } from '../../sql/hit-pages.ts';
import type { Clause } from '../../sql/sql.ts';
import { sql } from '../../sql/sql.ts';
import { makeQueries } from '../connection.ts';
import { makeSceneReads, toBoxConditions, toMayMatch } from './scene-search.ts';

/** A scene takes 20 µs, with files that are read for the first time 80; a question to a thread takes 200 to 400. */
const MAX_SCENES = 16;
/** Boxes that are counted first, whatever their dataset and day: 1 µs each. */
const MAX_BOXES = 256;
/** Corners of the shape times those of all footprints: each pair may be compared, in up to 0.4 µs. */
const MAX_PAIRS = 6_000;
/** Bytes of a corner in a stored footprint; its heads make a few corners more. */
const CORNER_BYTES = 16;
/** Values that every scene is compared with. */
const MAX_VALUES = 32;

/** Answers short searches on the connection of the calling thread; null for all others. `explain` translates SQLite's errors. */
export function makeShortSearch(
  database: DatabaseSync,
  explain: (error: unknown) => unknown,
): (query: SceneQuery) => StoredHits | null {
  const { query: read } = makeQueries(database);
  // Prepared by the first search: most commands that open a store never search.
  let reads: ReturnType<typeof makeSceneReads> | undefined;

  /** The scenes near the shape; null if there may be many of them, or if comparing each takes long. */
  function findNear({ shape, datasets }: SceneQuery): readonly number[] | null {
    if (shape === undefined || countValues(datasets) > MAX_VALUES) return null;
    const corners = countCorners(shape.geometry);
    if (corners > MAX_PAIRS) return null;
    const boxes = toBoxConditions(shape.geometry);
    const [box] = boxes;
    if (box === undefined || boxes.length > 1) return null;
    const rows = read<{ number: number; mayMatch: number }>(
      sql`SELECT id >> 1 AS number, ${toMayMatch(datasets)} AS mayMatch FROM scene_boxes s WHERE ${box} LIMIT ${MAX_BOXES}`,
    );
    const near = new Set(rows.filter(({ mayMatch }) => mayMatch === 1).map(({ number }) => number));
    if (rows.length === MAX_BOXES || near.size > MAX_SCENES) return null;
    const numbers = [...near];
    const [footprints] = read<{ bytes: number }>(
      sql`SELECT total(length(s.footprint)) AS bytes FROM (${toNumbers(numbers)}) near JOIN scenes s USING (number)`,
    );
    return (corners * (footprints?.bytes ?? 0)) / CORNER_BYTES <= MAX_PAIRS ? numbers : null;
  }

  return (query) => {
    try {
      const numbers = findNear(query);
      if (numbers === null) return null;
      reads ??= makeSceneReads(database);
      return reads.searchHits(query, toNumbers(numbers));
    } catch (error) {
      throw explain(error);
    }
  };
}

const toNumbers = (numbers: readonly number[]): Clause =>
  sql`SELECT value AS number FROM json_each(${JSON.stringify(numbers)})`;

function countCorners({ type, coordinates }: AreaGeometry | PointGeometry): number {
  if (type === 'Point') return 1;
  const rings = type === 'Polygon' ? coordinates : coordinates.flat();
  return rings.reduce((sum, ring) => sum + ring.length, 0);
}

const countValues = (datasets: SceneQuery['datasets']): number =>
  datasets
    .flatMap(({ filters }) => filters)
    .reduce((sum, filter) => sum + (filter.kind === 'one-of' ? filter.values.length : 2), datasets.length);
