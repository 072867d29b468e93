/** From the request line to a route: the canonical form of the target, the route table, and the address that a misspelt one may mean. */

import { countEdits, suggestName } from '../../bandmath/index.ts';
import { sensors } from '../../sensors/index.ts';
import { badInput, internal } from '../errors.ts';
import type { Route } from '../kit/endpoint.ts';
import { ROUTE_METHODS } from '../kit/endpoint.ts';
import { RENDER_ROOT } from '../kit/paths.ts';

/** The target of a request. Path and query are still percent-encoded. */
export interface Target {
  readonly path: string;
  readonly query: string;
}

/** A target as it stood in the request line; proxies may name a host there. */
interface ParsedTarget extends Target {
  /** The host of an absolute target, which wins over the Host header (RFC 9112 3.2.2); null for a plain path. */
  readonly host: string | null;
}

/** Splits a target that `parseTarget` has already brought into its normal form. */
export function splitTarget(target: string): Target {
  const mark = target.indexOf('?');
  return mark < 0
    ? { path: target, query: '' }
    : { path: target.slice(0, mark), query: target.slice(mark + 1) };
}

const refuseTarget = (rule: string): Error =>
  badInput('bad-target', `The address of the request is malformed: ${rule}.`);

/**
 * Reads the target of a request line into its one normal form, before the front door, the router or the log look at it.
 * They must not read one address in two ways: a URL object resolves `..` and turns `\` into `/`, the router decodes
 * `%72`, and a comparison of raw text does neither. Encoded letters, digits and `-._~` are decoded here (RFC 3986
 * 6.2.2.2); what no normal form exists for is refused. Addresses of pictures get the root that programs of the render
 * host leave out.
 */
export function parseTarget(raw: string): ParsedTarget {
  const absolute = /^https?:\/\/([^/?#]*)/i.exec(raw);
  const local = absolute === null ? raw : raw.slice(absolute[0].length) || '/';
  if (!local.startsWith('/') && !(absolute !== null && local.startsWith('?'))) {
    throw refuseTarget('it must begin with /');
  }
  const { path, query } = splitTarget(local.startsWith('?') ? `/${local}` : local);
  return { path: toRenderPath(normalizePath(path)), query: checkQuery(query), host: absolute?.[1] ?? null };
}

/** All of visible ASCII but `#`, which begins a fragment, and the backslash, which URL parsers read as a slash. */
const PATH = /^[!"$-[\]-~]*$/;

function normalizePath(path: string): string {
  if (!PATH.test(path)) throw refuseTarget('the path holds a character that must be percent-encoded');
  if (path.startsWith('//')) throw refuseTarget('the path begins with two slashes');
  const plain = path.includes('%') ? path.replace(/%[0-9A-Fa-f]{2}/g, decodeUnreserved) : path;
  if (/(?:^|\/)\.\.?(?:\/|$)/.test(plain)) throw refuseTarget('the path has a dot segment');
  return plain;
}

function decodeUnreserved(encoded: string): string {
  const character = String.fromCharCode(Number.parseInt(encoded.slice(1), 16));
  return /[A-Za-z0-9._~-]/.test(character) ? character : encoded;
}

function checkQuery(query: string): string {
  if (query.includes('#')) throw refuseTarget('it has a fragment');
  return query;
}

/** First segments of addresses below the root: sensors, and what else is drawn. */
const BELOW_ROOT: ReadonlySet<string> = new Set([
  ...sensors.flatMap(({ abbreviation, sharedAbbreviations }) => [abbreviation, ...sharedAbbreviations]),
  ...['terrain', 'legend', 'cropper', 'colormap', 'colorbar'],
]);

/**
 * A path with the root, when it begins with what lies below it: programs made for the render host write
 * `/S2/…/{z}/{x}/{y}`. Other paths stay as they are.
 */
function toRenderPath(path: string): string {
  const [first = ''] = path.slice(1).split(/\/|%2f/i, 1);
  return BELOW_ROOT.has(first) ? `${RENDER_ROOT}${path.slice(1)}` : path;
}

/** What answers a request; without a route, the methods that its address answers. */
export type RouteMatch =
  | { readonly route: Route; readonly params: Readonly<Record<string, string>> }
  | { readonly route: null; readonly allow: string };

/** Finds the route of a request, whatever order the routes were listed in. */
export interface RouteTable {
  /** Null when there is nothing at this path. */
  find(method: string, path: string): RouteMatch | null;
  /** The address that a misspelt one may mean; null when none is near. */
  readonly suggest: SuggestAddress;
  /** The methods of all routes, as `Allow` lists them. */
  readonly allow: string;
}

/** The routes of one path, by method. */
type Routes = Map<string, Route>;

/** A position in the tree of all paths: what may follow the segments that led here. */
interface Node {
  readonly literals: Map<string, Node>;
  /** At most one: there is no way to tell which of two expressions is more specific. */
  pattern: { readonly regex: RegExp; readonly node: Node } | null;
  any: Node | null;
  /** Routes whose path ends here. */
  readonly ends: Routes;
  /** Routes that end in `*` here. */
  readonly rest: Routes;
}

/**
 * Builds the table. Of several paths that match an address, the more specific one wins, segment by segment from the left:
 * a text before an expression, that before any segment, and that before the rest of a path. So `/api/render/terrain/*` and
 * `/api/render/:sensor/point/*` may be listed in any order. Two routes that match the same addresses equally well are refused
 * at start.
 */
export function makeRouteTable(routes: readonly Route[]): RouteTable {
  const root = makeNode();
  for (const route of routes) insert(root, route);
  const names = new Map(routes.map((route) => [route, listNames(route)]));
  // One segment more than the longest path is enough to match a rest; expressions may have thousands.
  const maxSegments = 1 + Math.max(0, ...routes.map(({ path }) => toSegments(path).length));
  return {
    find(method, path) {
      const segments = toSegments(path, maxSegments);
      const found = walk(root, segments, 0);
      if (found === null) return null;
      const route = found.get(method === 'HEAD' ? 'GET' : method);
      return route === undefined
        ? { route: null, allow: toAllow(found.values()) }
        : { route, params: readParams(names.get(route) ?? [], segments) };
    },
    suggest: makeSuggestAddress(routes),
    allow: toAllow(routes),
  };
}

/** GET answers HEAD, and the service itself OPTIONS. */
function toAllow(routes: Iterable<Route>): string {
  const known = new Set([...routes].map(({ method }) => method));
  const listed = ROUTE_METHODS.filter((method) => known.has(method));
  const answered = listed.flatMap((method) => (method === 'GET' ? [method, 'HEAD'] : [method]));
  return [...answered, 'OPTIONS'].join(', ');
}

const makeNode = (): Node => ({
  literals: new Map(),
  pattern: null,
  any: null,
  ends: new Map(),
  rest: new Map(),
});

/** A trailing slash is ignored. */
function toSegments(path: string, max?: number): readonly string[] {
  const inner = path.length > 1 && path.endsWith('/') ? path.slice(1, -1) : path.slice(1);
  return inner === '' ? [] : inner.split('/', max);
}

const NAMED = /^:(\w+)(?:\{(.+)\})?$/;

function insert(root: Node, route: Route): void {
  let node = root;
  const segments = toSegments(route.path);
  const takesRest = segments.at(-1) === '*';
  for (const segment of takesRest ? segments.slice(0, -1) : segments) node = follow(node, segment, route);
  const routes = takesRest ? node.rest : node.ends;
  const other = routes.get(route.method);
  if (other !== undefined) throw refuseAmbiguous(route, other.path);
  routes.set(route.method, route);
}

/** The node behind a segment of a route's path, made when it is the first. */
function follow(node: Node, segment: string, route: Route): Node {
  const [named, , regex] = NAMED.exec(segment) ?? [];
  if (named === undefined) {
    const known = node.literals.get(segment) ?? makeNode();
    node.literals.set(segment, known);
    return known;
  }
  if (regex === undefined) {
    node.any ??= makeNode();
    return node.any;
  }
  const whole = new RegExp(`^(?:${regex})$`);
  node.pattern ??= { regex: whole, node: makeNode() };
  if (node.pattern.regex.source !== whole.source) {
    throw refuseAmbiguous(route, `those of the expression ${node.pattern.regex.source}`);
  }
  return node.pattern.node;
}

const refuseAmbiguous = ({ method, path }: Route, other: string): Error =>
  internal('ambiguous-routes', `${method} ${path} may match the same addresses as ${other}.`);

/** Tries what may follow, most specific first. Patterns are a few segments deep, so it ends after a few steps. */
function walk(node: Node, segments: readonly string[], depth: number): Routes | null {
  const segment = segments[depth];
  if (segment === undefined) return [node.ends, node.rest].find(({ size }) => size > 0) ?? null;
  const { literals, pattern, any, rest } = node;
  const literal = literals.get(segment);
  return (
    (literal === undefined ? null : walk(literal, segments, depth + 1)) ??
    (pattern?.regex.test(segment) ? walk(pattern.node, segments, depth + 1) : null) ??
    (any === null || segment === '' ? null : walk(any, segments, depth + 1)) ??
    (rest.size > 0 ? rest : null)
  );
}

/** A segment of a path that has a name. */
type Named = readonly [name: string, index: number];

const listNames = ({ path }: Route): readonly Named[] =>
  toSegments(path).flatMap((segment, i) => {
    const name = NAMED.exec(segment)?.[1];
    return name === undefined ? [] : [[name, i] as const];
  });

const readParams = (names: readonly Named[], segments: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(names.map(([name, i]) => [name, decode(segments[i] ?? '')]));

/** What is not a valid encoding stays as it came: nothing has such a name. */
const decode = (segment: string): string =>
  segment.replace(/(?:%[0-9A-Fa-f]{2})+/g, (escaped) => {
    try {
      return decodeURIComponent(escaped);
    } catch {
      return escaped;
    }
  });

/** Names the address that a misspelt one may mean, as `GET /api/render/…`; null when none is near. */
type SuggestAddress = (method: string, path: string) => string | null;

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
function makeSuggestAddress(routes: readonly Route[]): SuggestAddress {
  const known = routes.map((route) => ({ route, segments: toWords(route.path) }));
  return (method, path) => {
    if (path.length > MAX_CHARS || !TYPED.test(path) || /\.\.|\/\//.test(path)) return null;
    const written = toWords(path);
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

const toWords = (path: string): readonly string[] => path.split('/').filter((segment) => segment !== '');

const toShown = ({ shownPath }: Route): string => shownPath.replaceAll(/:(\w+)(?:\{[^/]*\})?/g, '{$1}');

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
      // Nor does a word match just because any text may follow the one that is missing.
      const isBeforeAny = wanted[i + 1]?.startsWith(':') ?? false;
      return (isLast || isBeforeAny) && (one?.matched ?? 0) < 3 ? null : one;
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
