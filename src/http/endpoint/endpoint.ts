import type { z } from 'zod';
import type { ApiRequest } from '../request/api-request.ts';

/** One possible answer, for the documentation. */
interface AnswerDoc {
  readonly description: string;
  /** Media type to schema; null for bytes. */
  readonly content?: Readonly<Record<string, z.ZodType | null>>;
  /** Headers of its own, and what they say. */
  readonly headers?: Readonly<Record<string, string>>;
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
  readonly tag: 'Search' | 'Render' | 'Terrain' | 'Weather' | 'Tasks' | 'Service';
  readonly params?: Readonly<Record<string, ParameterDoc>>;
  readonly query?: Readonly<Record<string, ParameterDoc>>;
  readonly body?: {
    readonly description: string;
    readonly schema: z.ZodType;
    /** True unless given: a request without a body is refused. */
    readonly required?: boolean;
    readonly example?: unknown;
  };
  readonly answers: Readonly<Record<number, AnswerDoc>>;
  readonly handle: (request: ApiRequest) => Promise<Response>;
}
