/** The built viewer: its files, and how they are served. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { extname } from 'node:path';
import { gzipSync } from 'node:zlib';
import { internal, notFound } from '../errors.ts';
import type { RequestHeaders } from '../kit/answers.ts';
import { Answer, toPagePolicy } from '../kit/answers.ts';
import type { Endpoint } from '../kit/endpoint.ts';
import { json } from '../kit/json-schema.ts';

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.geojson': 'application/geo+json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ttf': 'font/ttf',
};

interface ViewerFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly gzip: Uint8Array<ArrayBuffer>;
  /** Compressed by the build, which has the time; null for files that do not get smaller. */
  readonly br: Uint8Array<ArrayBuffer> | null;
  readonly type: string;
}

/** Files of the viewer by name, read once: the set is small, and no request ever becomes a path on disk. */
export type ViewerFiles = ReadonlyMap<string, ViewerFile>;

/** Reads the built viewer from its folder. */
export function readViewer(folder: URL): ViewerFiles {
  try {
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((name) => name.replaceAll('\\', '/'))
      .filter((name) => statSync(new URL(name, folder)).isFile());
    const read = (name: string): Uint8Array => readFileSync(new URL(name, folder));
    const toEntry = (name: string): [string, ViewerFile] => {
      const compressed = names.includes(`${name}.br`) ? read(`${name}.br`) : null;
      return [name, toViewerFile(name, read(name), compressed)];
    };
    return new Map(names.filter((name) => !name.endsWith('.br')).map(toEntry));
  } catch (error) {
    throw internal('no-viewer', 'The viewer is not built. Run "npm run prepare" in the checkout.', {
      cause: error,
    });
  }
}

/** A file ready to be served; gzipped when a client first wants it so, which would cost a start a fifth of a second. */
export function toViewerFile(name: string, content: Uint8Array, br: Uint8Array | null = null): ViewerFile {
  let gzip: Uint8Array<ArrayBuffer> | null = null;
  return {
    bytes: new Uint8Array(content),
    get gzip() {
      gzip ??= new Uint8Array(gzipSync(content));
      return gzip;
    },
    br: br === null ? null : new Uint8Array(br),
    type: MEDIA_TYPES[extname(name)] ?? 'application/octet-stream',
  };
}

/**
 * `GET /`: the page. It may show pictures of live catalogs and the tiles of the operator's base map, and nothing else from
 * elsewhere.
 */
export const viewerPage = (
  files: ViewerFiles,
  pictureOrigins: readonly string[],
  mapOrigins: readonly string[] = [],
): Endpoint => ({
  summary: 'The map viewer',
  tag: 'Service',
  answers: { 200: { description: 'A page.', content: { 'text/html': null } } },
  async handle({ headers }) {
    const page = serve(files, { name: 'index.html', cacheControl: 'no-cache', headers });
    page.headers.set('content-security-policy', toPagePolicy(pictureOrigins, mapOrigins));
    return page;
  },
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
