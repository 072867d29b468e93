import type { z } from 'zod';
import type { KeyRecord } from '../keys/index.ts';
import type { Query } from './query.ts';

/** A request as handlers see it: parsed, identified, and free of the web framework. */
export interface ApiRequest {
  readonly id: string;
  /** The path as it came, still percent-encoded, without the query. */
  readonly rawPath: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly headers: Headers;
  /** The caller's key; null on open routes. */
  readonly key: KeyRecord | null;
  /** Address users reach us at, without a trailing slash, for links in answers. */
  readonly publicUrl: string;
  /** Aborted when the client goes away. */
  readonly signal: AbortSignal;
  readJson(maxBytes?: number): Promise<unknown>;
  /** Calls when the whole answer is out of our hands; not at all when the client leaves before. */
  onSent(listener: () => void): void;
}

/** One possible answer, for the documentation. */
interface AnswerDoc {
  readonly description: string;
  /** Media type to schema; null for bytes. */
  readonly content?: Readonly<Record<string, z.ZodType | null>>;
}

/** A parameter of the path or query, for the documentation. */
export interface ParameterDoc {
  readonly description: string;
  readonly schema: z.ZodType;
  readonly required?: boolean;
  readonly example?: string;
}

/** An operation: what it does, what it takes and gives, and the code that does it. */
export interface Endpoint {
  readonly summary: string;
  readonly description?: string;
  readonly tag: 'Search' | 'Render' | 'Service';
  readonly params?: Readonly<Record<string, ParameterDoc>>;
  readonly query?: Readonly<Record<string, ParameterDoc>>;
  readonly body?: { readonly description: string; readonly schema: z.ZodType; readonly example?: unknown };
  readonly answers: Readonly<Record<number, AnswerDoc>>;
  readonly handle: (request: ApiRequest) => Promise<Response>;
}

/** A line of the route table. */
export interface Route {
  readonly method: 'GET' | 'POST';
  /** As the router matches it; `*` takes the rest of the path. */
  readonly path: string;
  /** As people read it, where it differs from `path`. */
  readonly shownPath?: string;
  /** Who may call: anyone, any key, or keys that may change things. */
  readonly access: 'open' | 'read' | 'write';
  readonly endpoint: Endpoint;
}
