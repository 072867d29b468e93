import { badInput } from '../../errors.ts';

/** What the addresses of all that is drawn or measured begin with. */
export const RENDER_ROOT = '/api/render/';

/** The raw path after that. */
export const belowRenderRoot = (rawPath: string): string => rawPath.slice(RENDER_ROOT.length);

/** The segments of a raw path, decoded; slashes at its end do not count. */
export const decodeSegments = (rawPath: string): string[] =>
  trimSlashes(rawPath).split('/').map(decodeSegment);

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
