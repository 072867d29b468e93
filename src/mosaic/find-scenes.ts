/** All scenes of a mosaic that is made part by part, so that each part chooses among the same ones. */
import type { SceneHit } from '../catalog/index.ts';
import type { Grid } from '../geo/index.ts';
import { areasIntersect, moveOrigin } from '../geo/index.ts';
import type { Candidates, FindCandidates } from './find-candidates.ts';
import { MAX_CANDIDATES, makeOrder, toGround } from './find-candidates.ts';
import type { Mosaic } from './mosaic.ts';

/** Smaller parts of a mosaic are not searched by themselves: a picture of one looks at no more scenes than a search gives. */
const LEAST_SEARCHED_PX = 512;

/** Finds all scenes that touch a grid, in the order of the selection; with a limit, only the first ones. */
export async function findAllScenes(
  find: (...wanted: Parameters<FindCandidates>) => Promise<Candidates>,
  { search, composition: { selection } }: Pick<Mosaic, 'search' | 'composition'>,
  grid: Grid,
  limit = Infinity,
): Promise<readonly SceneHit[]> {
  const found = new Map<string, SceneHit>();
  const open = [grid];
  for (let part = open.pop(); part !== undefined && found.size < limit; part = open.pop()) {
    const { hits, found: count } = await find(search, selection, part);
    for (const hit of hits) found.set(hit.viewId, hit);
    if (count > hits.length && Math.max(part.width, part.height) > LEAST_SEARCHED_PX)
      open.push(...quarter(part));
  }
  return [...found.values()].toSorted(makeOrder(selection, search)).slice(0, limit);
}

/** The scenes that touch a grid, in their order. */
export function listTouching(among: readonly SceneHit[], grid: Grid): readonly SceneHit[] {
  const ground = toGround(grid);
  return among.filter(({ footprint }) => areasIntersect(footprint, ground));
}

/** The candidates of a grid among scenes that are found already, in their order. */
export function takeCandidates(among: readonly SceneHit[], grid: Grid): Candidates {
  const hits = listTouching(among, grid);
  return { hits: hits.slice(0, MAX_CANDIDATES), found: hits.length };
}

/** The quarters of a grid; halves of one that is a pixel wide. */
function quarter(grid: Grid): readonly Grid[] {
  const [left, top] = [Math.ceil(grid.width / 2), Math.ceil(grid.height / 2)];
  return [
    { x: 0, y: 0, width: left, height: top },
    { x: left, y: 0, width: grid.width - left, height: top },
    { x: 0, y: top, width: left, height: grid.height - top },
    { x: left, y: top, width: grid.width - left, height: grid.height - top },
  ]
    .filter(({ width, height }) => width > 0 && height > 0)
    .map(({ width, height, ...corner }) => ({
      ...grid,
      transform: moveOrigin(grid.transform, corner),
      width,
      height,
    }));
}
