/** A request that a form describes. */
export interface FormRequest {
  readonly method: string;
  /** From the root of the service on, without a slash at the beginning. */
  readonly path: string;
  readonly body: string | null;
}

/** What a form holds: values by name, of the path and of the query. */
interface FormValues {
  readonly method: string;
  /** As the document writes it: `/api/render/{view_id}/…`. */
  readonly template: string;
  readonly inPath: ReadonlyMap<string, string>;
  readonly inQuery: ReadonlyMap<string, string>;
  readonly body: string | null;
}

/** Commas and semicolons of lists may stand in an address as they are, and are easier to read so. */
const encode = (text: string): string =>
  encodeURIComponent(text).replaceAll('%2C', ',').replaceAll('%3B', ';');

/** Slashes of a view id, a scene id or an expression stay as they are. */
const encodePath = (text: string): string => text.split('/').map(encode).join('/');

/** Makes the request of a form; fields of the query that are empty are left out. */
export function toFormRequest({ method, template, inPath, inQuery, body }: FormValues): FormRequest {
  const path = template
    .slice(1)
    .replace(/\{(\w+)\}/g, (_, name: string) => encodePath(inPath.get(name) ?? ''));
  const query = [...inQuery]
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}=${encode(value)}`)
    .join('&');
  return { method, path: query === '' ? path : `${path}?${query}`, body };
}

/** A text as one word of a shell. */
const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** The request as a line for a shell. */
export function toCurl({ method, path, body }: FormRequest, root: string, key: string | null): string {
  const parts = [
    'curl',
    ...(method === 'GET' || (method === 'POST' && body !== null) ? [] : ['-X', method]),
    ...(key === null ? [] : ['-H', quote(`x-api-key: ${key}`)]),
    ...(body === null ? [] : ['-H', quote('content-type: application/json'), '-d', quote(body)]),
    quote(root + path),
  ];
  return parts.join(' ');
}
