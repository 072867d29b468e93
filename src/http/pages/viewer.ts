/** The built viewer: its files, and how they are served. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { extname } from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompress, gzip } from 'node:zlib';
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

/** How a file may be sent. */
type Coding = 'identity' | 'gzip' | 'br';

interface ViewerFile {
  readonly type: string;
  /** The smallest form that the client wants. */
  read(isWanted: (coding: 'gzip' | 'br') => boolean): Promise<{
    readonly bytes: Uint8Array<ArrayBuffer>;
    /** Null when the file is sent as it is. */
    readonly coding: 'gzip' | 'br' | null;
  }>;
}

/**
 * Files of the viewer by name, read once: the set is small, no request ever becomes a path on disk, and a page that was
 * loaded before a new build finds its files until the service is started again.
 */
export type ViewerFiles = ReadonlyMap<string, ViewerFile>;

/** Reads the built viewer from its folder. */
export function readViewer(folder: URL): ViewerFiles {
  try {
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((name) => name.replaceAll('\\', '/'))
      .filter((name) => statSync(new URL(name, folder)).isFile());
    const known = new Set(names);
    const toEntry = (name: string): [string, ViewerFile] => {
      const hasBr = known.has(`${name}.br`);
      const content = readFileSync(new URL(hasBr ? `${name}.br` : name, folder));
      return [name, toViewerFile(name, content, hasBr)];
    };
    return new Map(names.filter((name) => !name.endsWith('.br')).map(toEntry));
  } catch (error) {
    throw internal('no-viewer', 'The viewer is not built. Run "npm run prepare" in the checkout.', {
      cause: error,
    });
  }
}

/**
 * A file ready to be served. Of a file that the build has compressed only that form is in memory, which is a quarter of
 * it and what nearly all browsers want. The others are made when a client first wants them, and kept: all answers are
 * the same bytes, however many clients are slow to read them.
 */
export function toViewerFile(name: string, content: Uint8Array, hasBr = false): ViewerFile {
  const stored = Promise.resolve(new Uint8Array(content));
  const forms: Partial<Record<Coding, Promise<Uint8Array<ArrayBuffer>>>> = hasBr
    ? { br: stored }
    : { identity: stored };
  const readPlain = (): Promise<Uint8Array<ArrayBuffer>> => {
    forms.identity ??= stored.then(decompress).then(toBytes);
    return forms.identity;
  };
  return {
    type: MEDIA_TYPES[extname(name)] ?? 'application/octet-stream',
    async read(isWanted) {
      if (forms.br !== undefined && isWanted('br')) return { bytes: await forms.br, coding: 'br' };
      if (!isWanted('gzip')) return { bytes: await readPlain(), coding: null };
      forms.gzip ??= readPlain().then(compress).then(toBytes);
      return { bytes: await forms.gzip, coding: 'gzip' };
    },
  };
}

const decompress = promisify(brotliDecompress);
const compress = promisify<Uint8Array, Buffer>(gzip);
const toBytes = (buffer: Buffer): Uint8Array<ArrayBuffer> => new Uint8Array(buffer);

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
    const page = await serve(files, { name: 'index.html', cacheControl: 'no-cache', headers });
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
  handle: ({ rawPath, headers }) =>
    serve(files, { name: rawPath.slice(1), cacheControl: 'public, max-age=31536000, immutable', headers }),
});

interface FileRequest {
  readonly name: string;
  readonly cacheControl: string;
  readonly headers: RequestHeaders;
}

async function serve(files: ViewerFiles, { name, cacheControl, headers }: FileRequest): Promise<Answer> {
  const file = files.get(name);
  if (file === undefined) throw notFound('unknown-file', 'The viewer has no such file.');
  const accepted = headers.get('accept-encoding') ?? '';
  const { bytes, coding } = await file.read((one) => isAccepted(one, accepted));
  return new Answer(bytes, {
    headers: {
      'content-type': file.type,
      'cache-control': cacheControl,
      vary: 'accept-encoding',
      ...(coding === null ? {} : { 'content-encoding': coding }),
    },
  });
}

/** Whether an `Accept-Encoding` names an encoding, and not with a weight of zero. */
const isAccepted = (encoding: string, accepted: string): boolean =>
  accepted.split(',').some((one) => {
    const [name = '', weight = ''] = one.split(';').map((part) => part.trim().toLowerCase());
    return name === encoding && !/^q=0(\.0*)?$/.test(weight);
  });
