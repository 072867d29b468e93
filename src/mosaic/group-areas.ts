/** Areas that lie side by side are measured together: scenes are read and put together once for all of them. */
import type { Grid } from '../geo/index.ts';

/** Areas by their places in a list, and a grid around all of theirs. */
interface AreaGroup {
  readonly members: readonly number[];
  readonly grid: Grid;
  /** Where the grid of each member begins. */
  readonly corners: readonly { readonly x: number; readonly y: number }[];
}

/** The side of the squares in which areas are looked for, and the longest side of one that is grouped, in pixels. */
const SQUARE_PX = 512;

/** Between areas that are few and far apart there is more to read than in all of them. */
const MOST_BETWEEN = 50;

/** Groups areas by their grids, as `toAreaGrid` makes them; one that has no neighbour is a group by itself. */
export function groupAreas(grids: readonly Grid[]): readonly AreaGroup[] {
  const placed = grids.map((grid, place) => ({ place, grid, ...toBox(grid) }));
  const bySquare = Map.groupBy(placed, toSquare);
  return [...bySquare.values()].flatMap((own) => {
    const group = toGroup(own);
    const inAreas = own.reduce((sum, { grid }) => sum + countPx(grid), 0);
    return countPx(group.grid) <= MOST_BETWEEN * inAreas ? [group] : own.map((one) => toGroup([one]));
  });
}

/** A grid by its pixels in the lattice of its reference system. */
interface PlacedGrid {
  readonly place: number;
  readonly grid: Grid;
  readonly left: number;
  readonly top: number;
}

const toBox = ({ transform: [left, pixelM, , top] }: Grid): Pick<PlacedGrid, 'left' | 'top'> => ({
  left: Math.round(left / pixelM),
  top: Math.round(top / pixelM),
});

/** The square that the middle of a grid lies in; large ones have one of their own. */
function toSquare({ place, grid, left, top }: PlacedGrid): string {
  const { epsg, transform, width, height } = grid;
  if (Math.max(width, height) > SQUARE_PX) return `large ${place}`;
  const column = Math.floor((left + width / 2) / SQUARE_PX);
  const row = Math.floor((top - height / 2) / SQUARE_PX);
  return [epsg, transform[1], column, row].join(' ');
}

function toGroup(placed: readonly PlacedGrid[]): AreaGroup {
  const [first] = placed as readonly [PlacedGrid];
  let [left, top, right, bottom] = [Infinity, -Infinity, -Infinity, Infinity];
  for (const one of placed) {
    left = Math.min(left, one.left);
    top = Math.max(top, one.top);
    right = Math.max(right, one.left + one.grid.width);
    bottom = Math.min(bottom, one.top - one.grid.height);
  }
  const pixelM = first.grid.transform[1];
  return {
    members: placed.map(({ place }) => place),
    grid: {
      ...first.grid,
      transform: [left * pixelM, pixelM, 0, top * pixelM, 0, -pixelM],
      width: right - left,
      height: top - bottom,
    },
    corners: placed.map((one) => ({ x: one.left - left, y: top - one.top })),
  };
}

const countPx = ({ width, height }: Grid): number => width * height;
