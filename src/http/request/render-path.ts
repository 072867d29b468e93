import { badInput } from '../../errors.ts';
import { sensors } from '../../sensors/index.ts';

/** What the addresses of all that is drawn or measured begin with. */
export const RENDER_ROOT = '/api/render/';

/** First segments of addresses below the root: sensors, and what else is drawn. */
const BELOW_ROOT: ReadonlySet<string> = new Set([
  ...sensors.flatMap(({ abbreviation, sharedAbbreviations }) => [abbreviation, ...sharedAbbreviations]),
  ...['terrain', 'legend', 'cropper', 'colormap', 'colorbar'],
]);

/**
 * A path with the root, when it begins with what lies below it: programs made for the render host write
 * `/S2/…/{z}/{x}/{y}`. Other paths stay as they are.
 */
export function toRenderPath(path: string): string {
  const [first = ''] = path.slice(1).split(/\/|%2f/i, 1);
  return BELOW_ROOT.has(first) ? `${RENDER_ROOT}${path.slice(1)}` : path;
}

/** The raw path after that. */
export const belowRenderRoot = (rawPath: string): string => rawPath.slice(RENDER_ROOT.length);

/**
 * The segments of a raw path, decoded; slashes at its end do not count. An encoded slash separates segments too: generated
 * clients write `%2F` inside of a view id, of a scene id and of expressions. It is decoded once, so `%252F` is no slash.
 */
export const decodeSegments = (rawPath: string): string[] =>
  trimSlashes(rawPath)
    .split('/')
    .flatMap((segment) => (segment.includes('%') ? decodeSegment(segment).split('/') : [segment]));

/** A loop, because a pattern for slashes at the end takes quadratic time on a path of slashes. */
function trimSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end -= 1;
  return path.slice(0, end);
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch (error) {
    throw badInput('bad-encoding', 'The path is not valid percent-encoded UTF-8.', { cause: error });
  }
}
