import type { Lane } from '../../pool/index.ts';
import type { Endpoint } from './endpoint.ts';

/** The methods that routes may have, in the order in which `Allow` lists them. HEAD is answered by GET. */
export const ROUTE_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** A method of a route. */
export type RouteMethod = (typeof ROUTE_METHODS)[number];

/** Who may come to a route, and how: routes of one product mostly share it. */
export interface Admission {
  /** Who may call: anyone, any key, or keys that may change things. */
  readonly access: 'open' | 'read' | 'write';
  /**
   * What the front door does. `render` takes one of its limited slots until the answer is made: for routes that draw or
   * measure, and for their neighbours that are asked as often. `free` is for all others, and for every route that reads a
   * body: a slot must not wait for a slow upload.
   */
  readonly door: 'render' | 'free';
  /** The lane of its jobs in the pool. */
  readonly lane: Lane;
  /** Whether it still answers while the service shuts down; otherwise it answers 503. */
  readonly answersWhileDraining: boolean;
}

/** A line of the route table. */
export interface Route extends Admission {
  readonly method: RouteMethod;
  /**
   * The addresses that it answers, segment by segment: a text, `:name` for any segment, `:name{regex}` for those that the
   * expression matches whole; a last `*` takes the rest, which may be nothing.
   */
  readonly path: string;
  /** The path as people read it, with `{name}` for parameters that hold slashes; the path itself without. */
  readonly shownPath?: string;
  /**
   * The name under which its requests count against the rate of the statistics address (SWATH_STATISTICS_PER_MINUTE), which
   * all nodes share; without one they do not count.
   */
  readonly countedAs?: string | undefined;
  /**
   * What its largest request costs the main thread, in milliseconds, in all: keys pay for it from their budget
   * (SWATH_WORK_PER_MINUTE). Without a cost it is free: routes that draw are bounded by the front door and the pool.
   */
  readonly cost?: number;
  readonly endpoint: Endpoint;
}

/** The path of a route as people read it. */
export const shownPathOf = ({ path, shownPath = path }: Pick<Route, 'path' | 'shownPath'>): string =>
  shownPath;
