import { z } from 'zod';
import type { Endpoint, ParameterDoc } from '../endpoint/endpoint.ts';
import type { Route } from '../endpoint/route.ts';
import { shownPathOf } from '../endpoint/route.ts';

/** An OpenAPI 3.1 document, as far as the pages that read it care. */
export interface OpenApi {
  readonly openapi: '3.1.0';
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly [section: string]: unknown;
}

/** One operation of the document. */
export interface Operation {
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly parameters: readonly {
    readonly name: string;
    readonly in: 'path' | 'query';
    readonly required: boolean;
    readonly description: string;
    readonly schema: object;
    readonly example?: string;
  }[];
  readonly requestBody?: {
    readonly description: string;
    readonly content: Record<string, { schema: object; example?: unknown }>;
  };
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content?: object }>>;
  readonly security?: readonly object[];
}

const errorSchema = z.object({
  status: z.literal(false),
  error: z.string().describe('A sentence for people.'),
  code: z.string().describe('A word for programs.'),
  request_id: z.string().describe('Names this request in the log.'),
});

/** Builds the document from the route table: zod 4 writes JSON Schema 2020-12, which is what OpenAPI 3.1 uses. */
export function toOpenApi(routes: readonly Route[], version: string): OpenApi {
  const paths: Record<string, Record<string, Operation>> = {};
  for (const route of routes) {
    const path = shownPathOf(route)
      .replace(/:(\w+)/g, '{$1}')
      .replace('*', '{file}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: toOperation(route) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Swath',
      version,
      description: 'Find satellite scenes and render them as map tiles.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    } as OpenApi['info'],
    paths,
    components: {
      securitySchemes: {
        key: { type: 'apiKey', in: 'query', name: 'api_key' },
        header: { type: 'apiKey', in: 'header', name: 'x-api-key' },
      },
      schemas: { Error: toSchema(errorSchema) },
    },
  };
}

/** What every route with a key may answer in addition to its own. */
const keyAnswers: Endpoint['answers'] = {
  401: { description: 'No key.' },
  403: { description: 'The key is not valid.' },
  429: { description: 'A limit of the key or the address is reached; see Retry-After and RateLimit-*.' },
};

/** The answers of a route with a key; a status that it documents itself has both reasons. */
function addKeyAnswers(own: Endpoint['answers']): Endpoint['answers'] {
  const shared = Object.entries(keyAnswers).map(([status, answer]) => {
    const reason = own[Number(status)]?.description;
    return [status, reason === undefined ? answer : { description: `${reason} ${answer.description}` }];
  });
  return { ...own, ...Object.fromEntries(shared) };
}

function toOperation({ access, endpoint }: Route): Operation {
  const security = access === 'open' ? [] : [{ key: [] }, { header: [] }];
  return {
    summary: endpoint.summary,
    ...(endpoint.description === undefined ? {} : { description: endpoint.description }),
    tags: [endpoint.tag],
    parameters: [...toParameters('path', endpoint.params), ...toParameters('query', endpoint.query)],
    ...(endpoint.body === undefined ? {} : { requestBody: toBody(endpoint.body) }),
    responses: {
      ...toAnswers(access === 'open' ? endpoint.answers : addKeyAnswers(endpoint.answers)),
      default: errorAnswer('Anything else that went wrong, such as a request over a limit.'),
    },
    security,
  };
}

const toParameters = (location: 'path' | 'query', docs: Endpoint['params'] = {}): Operation['parameters'] =>
  Object.entries(docs).map(([name, doc]: [string, ParameterDoc]) => ({
    name,
    in: location,
    required: location === 'path' || doc.required === true,
    description: doc.description,
    schema: toSchema(doc.schema),
    ...(doc.example === undefined ? {} : { example: doc.example }),
  }));

const toBody = ({ description, schema, example }: NonNullable<Endpoint['body']>) => ({
  description,
  content: {
    'application/json': { schema: toSchema(schema), ...(example === undefined ? {} : { example }) },
  },
});

function toAnswers(answers: Endpoint['answers']): Record<string, { description: string; content?: object }> {
  return Object.fromEntries(
    Object.entries(answers).map(([status, { description, content, headers }]) => {
      const shown = headers === undefined ? {} : { headers: toHeaders(headers) };
      if (content === undefined)
        return [status, Number(status) < 400 ? { description, ...shown } : errorAnswer(description)];
      const bodies = Object.entries(content).map(([type, schema]) => [
        type,
        schema === null ? {} : { schema: toSchema(schema) },
      ]);
      return [status, { description, ...shown, content: Object.fromEntries(bodies) }];
    }),
  );
}

const toHeaders = (headers: Readonly<Record<string, string>>): object =>
  Object.fromEntries(
    Object.entries(headers).map(([name, description]) => [name, { description, schema: { type: 'string' } }]),
  );

function errorAnswer(description: string) {
  return { description, content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } };
}

function toSchema(schema: z.ZodType): object {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: 'input' });
  return rest;
}
