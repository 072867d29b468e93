import type { Endpoint, Route } from '../kit/endpoint.ts';
import type { JsonSchema, NamedSchemas } from '../kit/json-schema.ts';
import { collectNamed, json } from '../kit/json-schema.ts';
import type { ParameterDoc } from '../kit/parameters.ts';
import { IGNORED_HEADER } from '../kit/parameters.ts';

/** An OpenAPI 3.1 document, as far as the pages that read it care. */
export interface OpenApi {
  readonly openapi: '3.1.0';
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly [section: string]: unknown;
}

/** One operation of the document. */
export interface Operation {
  readonly operationId: string;
  /** The role that the key needs; absent where none is needed. */
  readonly 'x-role'?: Route['access'];
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly parameters: readonly {
    readonly name: string;
    readonly in: 'path' | 'query';
    readonly required: boolean;
    readonly description: string;
    readonly schema: JsonSchema;
    readonly example?: string | number;
  }[];
  readonly requestBody?: {
    readonly required: boolean;
    readonly description: string;
    readonly content: Record<string, { schema: object; example?: unknown }>;
  };
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content?: object }>>;
  readonly security?: readonly object[];
}

const errorSchema = json.named(
  'Error',
  json.object({
    status: json.literal(false),
    error: json.string({ description: 'A sentence for people.' }),
    code: json.string({ description: 'A word for programs.' }),
    request_id: json.string({ description: 'Names this request in the log.' }),
  }),
);

/** The path of a route as OpenAPI writes it: `{name}` for every parameter. */
const documentedPathOf = ({ shownPath }: Pick<Route, 'shownPath'>): string =>
  shownPath.replace(/:(\w+)/g, '{$1}').replace('*', '{file}');

/** What the groups of operations are about. */
const TAGS: Readonly<Record<Endpoint['tag'], string>> = {
  Search: 'Find scenes by dataset, location, date, clouds and any other field.',
  STAC: 'The same scenes as a STAC API 1.0, for programs that know it.',
  OGC: 'The same maps as WMTS, WMS, OGC API and XYZ tiles, for programs that know these.',
  Render: 'Pictures and values of scenes, colormaps and areas.',
  Mosaic: 'Pictures and values of many scenes, chosen by place and time.',
  Terrain: 'Heights of the ground and what follows from them.',
  Weather: 'Weather of a location: past, normal and forecast.',
  Tasks: 'Orders that take longer than a request: files and statistics.',
  Recipes: 'Saved renderings under one id: maps for programs, and for web pages without a key.',
  Fields: 'Pieces of land with names, groups and crops, thousands of them for one key.',
  Subscriptions: 'Fields that are watched: what happened on them, in a feed, as callbacks or by e-mail.',
  Service: 'The pages of the service and its state.',
};

/** Builds the document from the route table. */
export function toOpenApi(routes: readonly Route[], version: string): OpenApi {
  const paths: Record<string, Record<string, Operation>> = {};
  for (const route of routes) {
    const path = documentedPathOf(route);
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: toOperation(route) };
  }
  const schemas: NamedSchemas = {};
  collectNamed(paths, schemas);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Swath',
      version,
      description: 'Find satellite scenes and render them as map tiles.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    } as OpenApi['info'],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      securitySchemes: {
        key: { type: 'apiKey', in: 'query', name: 'api_key' },
        header: { type: 'apiKey', in: 'header', name: 'x-api-key' },
      },
      schemas,
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

/** What every route may answer: an address, a header or a query that is malformed is refused before the route sees it. */
const anyAnswers: Endpoint['answers'] = {
  400: { description: 'The request is malformed; the message says how.' },
};

/** What every answer of the interface may say; other pages read parameters of their own. */
const anyHeaders = {
  [IGNORED_HEADER]: 'Names of the request that mean nothing here, each with the name that may be meant.',
} as const;

/** The answers of an operation that takes parameters, with the header that lists the ignored ones. */
function addIgnoredHeader({ path, endpoint }: Route, answers: Endpoint['answers']): Endpoint['answers'] {
  const isRead = path.startsWith('/api/') && (endpoint.query !== undefined || endpoint.body !== undefined);
  if (!isRead) return answers;
  const told = Object.entries(answers).map(([status, answer]) => [
    status,
    Number(status) < 300 ? { ...answer, headers: { ...answer.headers, ...anyHeaders } } : answer,
  ]);
  return Object.fromEntries(told);
}

function toOperation(route: Route): Operation {
  const { access, endpoint } = route;
  const isOpen = access === 'open' || access === 'public' || access === 'tiles';
  const security = isOpen ? [] : [{ key: [] }, { header: [] }];
  const own = addIgnoredHeader(route, { ...anyAnswers, ...endpoint.answers });
  return {
    operationId: route.name,
    summary: endpoint.summary,
    ...(endpoint.description === undefined ? {} : { description: endpoint.description }),
    tags: [endpoint.tag],
    parameters: [...toParameters('path', endpoint.params), ...toParameters('query', endpoint.query)],
    ...(endpoint.body === undefined ? {} : { requestBody: toBody(endpoint.body) }),
    responses: {
      ...toAnswers(isOpen ? own : addKeyAnswers(own)),
      default: errorAnswer('Anything else that went wrong, such as a request over a limit.'),
    },
    security,
    ...(isOpen ? {} : { 'x-role': access }),
  };
}

function toParameters(location: 'path' | 'query', docs: Endpoint['params'] = {}): Operation['parameters'] {
  return Object.entries(docs).map(
    ([name, { required = false, description, schema, example }]: [string, ParameterDoc]) => ({
      name,
      in: location,
      required: location === 'path' || required,
      description,
      schema,
      ...(example === undefined ? {} : { example: toExample(example, schema) }),
    }),
  );
}

/** An example in the type of its schema: generators and validators of clients compare them. */
function toExample(text: string, schema: JsonSchema): string | number {
  const choices = [schema, ...((schema.anyOf as readonly JsonSchema[] | undefined) ?? [])];
  const isNumber = choices.some(({ type }) => type === 'integer' || type === 'number');
  return isNumber && Number.isFinite(Number(text)) ? Number(text) : text;
}

const toBody = ({
  description,
  schema,
  required = true,
  example,
  types = ['application/json'],
}: NonNullable<Endpoint['body']>) => ({
  description,
  required,
  content: Object.fromEntries(
    types.map((type) => [type, { schema, ...(example === undefined ? {} : { example }) }]),
  ),
});

function toAnswers(answers: Endpoint['answers']): Record<string, { description: string; content?: object }> {
  return Object.fromEntries(
    Object.entries(answers).map(([status, { description, content, headers }]) => {
      const shown = headers === undefined ? {} : { headers: toHeaders(headers) };
      if (content === undefined)
        return [status, Number(status) < 400 ? { description, ...shown } : errorAnswer(description)];
      const bodies = Object.entries(content).map(([type, schema]) => [
        type,
        { schema: schema ?? toBytesSchema(type) },
      ]);
      return [status, { description, ...shown, content: Object.fromEntries(bodies) }];
    }),
  );
}

/** The body of an answer without a schema: any object, a text, or bytes in the word that generators of clients know. */
function toBytesSchema(type: string): JsonSchema {
  if (type === 'application/json') return { type: 'object' };
  return type.startsWith('text/') ? { type: 'string' } : { type: 'string', format: 'binary' };
}

const toHeaders = (headers: Readonly<Record<string, string>>): object =>
  Object.fromEntries(
    Object.entries(headers).map(([name, description]) => [name, { description, schema: { type: 'string' } }]),
  );

function errorAnswer(description: string) {
  return { description, content: { 'application/json': { schema: errorSchema } } };
}
