import { notFound } from '../../errors.ts';
import { Answer } from '../kit/answer.ts';
import type { RequestHeaders } from '../kit/api-request.ts';
import type { Endpoint } from '../kit/endpoint.ts';
import { json } from '../kit/json-schema.ts';
import type { ViewerFiles } from './viewer-files.ts';

/** `GET /`: the page. */
export const viewerPage = (files: ViewerFiles): Endpoint => ({
  summary: 'The map viewer',
  tag: 'Service',
  answers: { 200: { description: 'A page.', content: { 'text/html': null } } },
  handle: async ({ headers }) => serve(files, { name: 'index.html', cacheControl: 'no-cache', headers }),
});

/** `GET /assets/*`: scripts and styles of the page; their names carry a hash of their content. */
export const viewerAsset = (files: ViewerFiles): Endpoint => ({
  summary: 'Files of the map viewer',
  tag: 'Service',
  params: { file: { description: 'Name of the file, as the page holds it.', schema: json.string() } },
  answers: { 200: { description: 'A file.' } },
  handle: async ({ rawPath, headers }) =>
    serve(files, { name: rawPath.slice(1), cacheControl: 'public, max-age=31536000, immutable', headers }),
});

interface FileRequest {
  readonly name: string;
  readonly cacheControl: string;
  readonly headers: RequestHeaders;
}

function serve(files: ViewerFiles, { name, cacheControl, headers }: FileRequest): Answer {
  const file = files.get(name);
  if (file === undefined) throw notFound('unknown-file', 'The viewer has no such file.');
  const encoding = (['br', 'gzip'] as const).find(
    (one) => file[one] !== null && isAccepted(one, headers.get('accept-encoding') ?? ''),
  );
  return new Answer(encoding === undefined ? file.bytes : file[encoding], {
    headers: {
      'content-type': file.type,
      'cache-control': cacheControl,
      vary: 'accept-encoding',
      ...(encoding === undefined ? {} : { 'content-encoding': encoding }),
    },
  });
}

/** Whether an `Accept-Encoding` names an encoding, and not with a weight of zero. */
const isAccepted = (encoding: string, accepted: string): boolean =>
  accepted.split(',').some((one) => {
    const [name = '', weight = ''] = one.split(';').map((part) => part.trim().toLowerCase());
    return name === encoding && !/^q=0(\.0*)?$/.test(weight);
  });
