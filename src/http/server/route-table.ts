import { internal } from '../../errors.ts';
import type { Route } from '../kit/endpoint.ts';
import { ROUTE_METHODS } from '../kit/endpoint.ts';
import type { SuggestAddress } from './near-address.ts';
import { makeSuggestAddress } from './near-address.ts';

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
