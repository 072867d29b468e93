import type { z } from 'zod';
import type { ApiRequest } from '../request/api-request.ts';

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
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** As the router matches it; `*` takes the rest of the path. */
  readonly path: string;
  /** As people read it; parameters are `:name` or `{name}`. */
  readonly shownPath: string;
  /** Who may call: anyone, any key, or keys that may change things. */
  readonly access: 'open' | 'read' | 'write';
  readonly endpoint: Endpoint;
}
