/** What an endpoint is and the request it receives; its line in the route table; what several of them document alike. */

import type { SharedGroup } from '../../fields/index.ts';
import type { KeyRecord, Role } from '../../keys/index.ts';
import type { Recipe } from '../../library/index.ts';
import type { Lane, Ticket } from '../../pool/index.ts';
import { sensors } from '../../sensors/index.ts';
import type { Answer, RequestHeaders } from './answers.ts';
import type { SavedBody } from './bodies.ts';
import type { JsonSchema } from './json-schema.ts';
import { json } from './json-schema.ts';
import type { ParameterDoc, Query } from './parameters.ts';

/** The id of the key that stands for everyone without one. */
export const GUEST_ID = 'guest';

/** A request as handlers see it: parsed and identified. */
export interface ApiRequest {
  readonly id: string;
  /** `HEAD` too: it is answered by the routes of GET, and its body is left out. */
  readonly method: string;
  /** The path as it came, still percent-encoded, without the query. */
  readonly rawPath: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly headers: RequestHeaders;
  /** The caller's key; null on open and public routes. */
  readonly key: KeyRecord | null;
  /** The recipe that the token of a public route opens; null on others. */
  readonly recipe: Recipe | null;
  /** The group of fields that the token of a public route opens; null on others. */
  readonly group: SharedGroup | null;
  /** Address users reach us at, without a trailing slash, for links in answers. */
  readonly publicUrl: string;
  /** The ticket of pool work: keys take turns at the threads, and work is aborted when its client leaves. */
  readonly ticket: Ticket;
  readJson(maxBytes?: number): Promise<unknown>;
  /** Reads an optional body; undefined if there is none. */
  readOptionalJson(): Promise<unknown>;
  /** Writes the body, of any type, to a file. */
  saveBody(path: string, maxBytes: number): Promise<SavedBody>;
  /** The text of a JSON body, for parsers on other threads. */
  readJsonText(): Promise<string>;
  /**
   * Pays for work of the main thread beyond the cost of the route, in milliseconds, when it turns out that there is more;
   * throws 429 if the key has used up its budget.
   */
  readonly pay: (ms: number) => void;
  /** Reports an unknown name, with a suggestion, in a header of the answer. */
  readonly tellIgnored: (name: string, known: Iterable<string>) => void;
  /** Calls when the whole answer is out of our hands; not at all when the client leaves before. */
  onSent(listener: () => void): void;
  /**
   * Ends the connection in the middle of an answer, so that the client can tell that it is not whole, and logs why. False
   * without a connection, as in tests.
   */
  breakOff(error: unknown): boolean;
}

/** One possible answer, for the documentation. */
interface AnswerDoc {
  readonly description: string;
  /** Media type to schema; null for bytes. */
  readonly content?: Readonly<Record<string, JsonSchema | null>>;
  /** Headers of its own, and what they say. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** An operation: what it does, what it takes and gives, and the code that does it. */
export interface Endpoint {
  readonly summary: string;
  readonly description?: string;
  readonly tag:
    | 'Search'
    | 'STAC'
    | 'OGC'
    | 'Render'
    | 'Mosaic'
    | 'Terrain'
    | 'Weather'
    | 'Tasks'
    | 'Recipes'
    | 'Fields'
    | 'Subscriptions'
    | 'Service';
  readonly params?: Readonly<Record<string, ParameterDoc>>;
  readonly query?: Readonly<Record<string, ParameterDoc>>;
  readonly body?: {
    readonly description: string;
    readonly schema: JsonSchema;
    /** True unless given: a request without a body is refused. */
    readonly required?: boolean;
    readonly example?: unknown;
    /** What to do instead of sending a body that is too large: a sentence. */
    readonly ifTooLarge?: string;
    /** Media types of a body that is a file; JSON unless given. */
    readonly types?: readonly string[];
  };
  readonly answers: Readonly<Record<number, AnswerDoc>>;
  readonly handle: (request: ApiRequest) => Promise<Answer>;
  /** How its errors are written, where a standard asks for a shape of its own; the one error body by default. */
  readonly writeError?: WriteError;
}

/** An error as its client may read it. */
export interface ShownError {
  readonly status: number;
  readonly code: string;
  readonly sentence: string;
}

/** Writes an error; `query` is the raw query, which may name a version. A status replaces that of the error. */
export type WriteError = (
  error: ShownError,
  query: string,
) => { readonly type: string; readonly body: string; readonly status?: number };

/** The methods that routes may have, in the order in which `Allow` lists them. HEAD is answered by GET. */
export const ROUTE_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** A method of a route. */
type RouteMethod = (typeof ROUTE_METHODS)[number];

/** Who may call a route, and which resources the call takes. */
interface Admission {
  /** Who may call: anyone, anyone with the token of a public recipe or of a key's tiles, or keys with this role or a higher one. */
  readonly access: 'open' | 'public' | 'tiles' | Role;
  /**
   * What the front door does. `render` takes one of its limited slots until the answer is made: for routes that draw or
   * measure, and for their neighbours that are requested as often. `free` is for all others, and for every route that reads a
   * body: a slot must not wait for a slow upload.
   */
  readonly door: 'render' | 'free';
  /** The lane of its jobs in the pool. */
  readonly lane: Lane;
}

/** A line of the route table. */
export interface Route extends Admission {
  readonly method: RouteMethod;
  /**
   * The addresses that it answers, segment by segment: a text, `:name` for any segment, `:name{regex}` for those that the
   * expression matches whole; a last `*` takes the rest, which may be nothing.
   */
  readonly path: string;
  /** The name of its operation. Generated clients call their functions so, and people build on those: it never changes. */
  readonly name: string;
  /** The path as people read it, with `{name}` for parameters that hold slashes. */
  readonly shownPath: string;
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

/** How paths name sensors; some names are shared, and the name of the scene decides. */
const abbreviations = [
  ...new Set(
    sensors.flatMap(({ abbreviation, sharedAbbreviations }) => [abbreviation, ...sharedAbbreviations]),
  ),
].sort();

/** A scene of the demo world, also of the small one: examples work on a new installation. */
export const EXAMPLE_SCENE = {
  viewId: 'S2L2A/10/U/EU/2026/6/21/1',
  sceneId: '10/U/EU/2026/6/21/1',
  /** A tile in it. */
  z: '12',
  x: '655',
  y: '1420',
  lat: '48.22',
  lon: '-122.41',
} as const;

/** The sensor in a path, for the documentation. */
export const sensorParameter: ParameterDoc = {
  description: 'Abbreviation, as in view ids.',
  schema: json.choice(abbreviations),
  example: 'S2L2A',
};

/** How `/api/render/{sensor}/{verb}/{scene_id}` names a scene, for the documentation. */
export const sceneParameters = {
  sensor: sensorParameter,
  scene_id: {
    description: 'The view id without its sensor; holds slashes.',
    schema: json.string(),
    example: EXAMPLE_SCENE.sceneId,
  },
} as const satisfies Endpoint['params'];

/** What may go wrong wherever pixels are read, for the documentation. */
export const pixelFailures: Endpoint['answers'] = {
  502: { description: 'A file of the scene is damaged or missing.' },
  503: {
    description:
      'Server busy, or the files of the scene cannot be reached; retry after the number of seconds in Retry-After.',
  },
  504: { description: 'The time limit was exceeded.' },
};

/** The lines of one admission, by method: path, name of the operation, endpoint, and what else the line says. */
const allow = (admission: Admission) => {
  const line =
    (method: RouteMethod) =>
    (path: string, name: string, endpoint: Endpoint, more: Partial<Route> = {}): Route => ({
      ...admission,
      method,
      path,
      shownPath: path,
      name,
      endpoint,
      ...more,
    });
  return {
    get: line('GET'),
    post: line('POST'),
    put: line('PUT'),
    patch: line('PATCH'),
    remove: line('DELETE'),
  };
};

const own = { lane: 'tile' } as const;
/** Draws or measures with any key, in a slot of the front door. */
export const drawn = allow({ ...own, access: 'read', door: 'render' });
/** Drawn too, but the signature is the permission; all callers without a key share the slots of one. */
export const signed = allow({ ...own, access: 'open', door: 'render' });
/** Drawn for anyone who has the token of a public recipe (`:token`), as work of its owner. */
export const shown = allow({ ...own, access: 'public', door: 'render' });
/** Drawn for anyone who has the token of a key's tiles (`:token`), as work of that key. */
export const tokened = allow({ ...own, access: 'tiles', door: 'render' });
/** Any key. */
export const read = allow({ ...own, access: 'read', door: 'free' });
/** Keys that may order and store things of their own; counted as a write. */
export const write = allow({ ...own, access: 'order', door: 'free' });
/** Keys that may change the catalog, which all keys share; counted as a write. */
export const catalogued = allow({ ...own, access: 'ingest', door: 'free' });
/** Keys and people that may manage others; counted as a write. */
export const administered = allow({ ...own, access: 'admin', door: 'free' });
/** Pages, monitoring, and facts about Swath itself and not about anyone's data. */
export const open = allow({ ...own, access: 'open', door: 'free' });
/** The link is the permission. Passing a file on takes no slot from renders. */
export const linked = allow({ ...own, access: 'open', door: 'free', lane: 'task' });
