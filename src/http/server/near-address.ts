import { countEdits, suggestName } from '../../bandmath/index.ts';
import type { Route } from '../kit/endpoint.ts';
import { shownPathOf } from '../kit/endpoint.ts';

/** Names the address that a misspelt one may mean, as `GET /api/render/…`; null when none is near. */
export type SuggestAddress = (method: string, path: string) => string | null;

/** Nobody types longer paths or other characters: no suggestion is computed for them. */
const MAX_CHARS = 300;
const MAX_SEGMENTS = 24;
const TYPED = /^\/[\w./~:,;@+*()-]*$/;

/** What differs from an address: another case, a misspelt word, a segment too many or too few. */
const COST = { case: 1, misspelt: 2, skipped: 3 } as const;
/** Two misspelt words, or one and a segment. */
const MAX_COST = 5.5;
/** Shorter words (`ir`, `v2`) are near to too much where any segments may follow. */
const MIN_CHARS = 3;

/** How near a path is to a route. */
interface Nearness {
  readonly cost: number;
  /** Texts of the route that the path has as well. */
  readonly matched: number;
}

/** Builds the search for the nearest route. Only texts of our own are shown, never those of the request. */
export function makeSuggestAddress(routes: readonly Route[]): SuggestAddress {
  const known = routes.map((route) => ({ route, segments: toSegments(route.path) }));
  return (method, path) => {
    if (path.length > MAX_CHARS || !TYPED.test(path) || /\.\.|\/\//.test(path)) return null;
    const written = toSegments(path);
    if (written.length > MAX_SEGMENTS) return null;
    const near = known
      .flatMap(({ route, segments }) => {
        const nearness = compare(written, segments);
        return nearness === null || nearness.cost === 0 ? [] : [{ route, ...nearness }];
      })
      .sort(
        (a, b) =>
          a.cost - b.cost ||
          b.matched - a.matched ||
          Number(b.route.method === method) - Number(a.route.method === method),
      );
    const [best] = near;
    return best === undefined ? null : `${best.route.method} ${toShown(best.route)}`;
  };
}

const toSegments = (path: string): readonly string[] => path.split('/').filter((segment) => segment !== '');

const toShown = (route: Route): string => shownPathOf(route).replaceAll(/:(\w+)(?:\{[^/]*\})?/g, '{$1}');

/** Compares segment by segment; one may be missing or in excess where the route does not take any rest. */
function compare(written: readonly string[], segments: readonly string[]): Nearness | null {
  const takesRest = segments.at(-1) === '*';
  const wanted = takesRest ? segments.slice(0, -1) : segments;
  const whole = align(written, wanted, takesRest);
  if (takesRest) return whole;
  const skips = [
    ...written.map((_, i) => align(written.toSpliced(i, 1), wanted, false)),
    ...wanted.map((text, i) => {
      if (text.startsWith(':')) return null;
      const one = align(written, wanted.toSpliced(i, 1), false);
      // Without its last literal, /api/render/cropper/{cropper_ref} would be near to all of /api/render/….
      const isLast = wanted.findLastIndex((other) => !other.startsWith(':')) === i;
      return isLast && (one?.matched ?? 0) < 3 ? null : one;
    }),
  ].flatMap((one) =>
    // One literal in common, such as /api, is not enough.
    one === null || one.matched < 2 ? [] : [{ cost: one.cost + COST.skipped, matched: one.matched }],
  );
  return [...(whole === null ? [] : [whole]), ...skips]
    .filter(({ cost }) => cost <= MAX_COST)
    .reduce<Nearness | null>((best, one) => (best === null || one.cost < best.cost ? one : best), null);
}

function align(written: readonly string[], wanted: readonly string[], takesRest: boolean): Nearness | null {
  if (takesRest ? written.length < wanted.length : written.length !== wanted.length) return null;
  let [cost, matched] = [0, 0];
  for (const [i, text] of wanted.entries()) {
    if (text.startsWith(':')) {
      const [, regex] = /\{(.+)\}$/.exec(text) ?? [];
      if (regex !== undefined && !new RegExp(`^(?:${regex})$`).test(written[i] as string)) return null;
      continue;
    }
    const step = costOf(written[i] as string, text, takesRest);
    if (step === null) return null;
    if (step === 0) matched += 1;
    cost += step;
  }
  return cost > MAX_COST ? null : { cost, matched };
}

function costOf(word: string, text: string, takesRest: boolean): number | null {
  if (word === text) return 0;
  if (word.toLowerCase() === text.toLowerCase()) return COST.case;
  if (takesRest && text.length < MIN_CHARS) return null;
  if (suggestName(word, [text]) === null) return null;
  // Prefers the nearer of two words, but never outweighs another mistake: no word has a hundred letters.
  return COST.misspelt + countEdits(word.toLowerCase(), text) / 100;
}
