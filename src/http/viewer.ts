import { readdirSync, readFileSync, statSync } from 'node:fs';
import { extname } from 'node:path';
import { gzipSync } from 'node:zlib';
import { z } from 'zod';
import { internal, notFound } from '../errors.ts';
import type { Endpoint } from './endpoint.ts';

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.geojson': 'application/geo+json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
};

interface ViewerFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly gzipped: Uint8Array<ArrayBuffer>;
  readonly type: string;
}

/** Files of the viewer by name, read once: the set is small, and no request ever becomes a path on disk. */
export type ViewerFiles = ReadonlyMap<string, ViewerFile>;

/** Reads the built viewer from its folder, and compresses it once for all who ask. */
export function readViewer(folder: URL): ViewerFiles {
  try {
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((name) => name.replaceAll('\\', '/'))
      .filter((name) => statSync(new URL(name, folder)).isFile());
    return new Map(names.map((name) => [name, toViewerFile(name, readFileSync(new URL(name, folder)))]));
  } catch (error) {
    throw internal('no-viewer', 'The viewer is not built. Run "npm run prepare" in the checkout.', {
      cause: error,
    });
  }
}

/** A file ready to be served. */
export const toViewerFile = (name: string, content: Uint8Array): ViewerFile => ({
  bytes: new Uint8Array(content),
  gzipped: new Uint8Array(gzipSync(content)),
  type: MEDIA_TYPES[extname(name)] ?? 'application/octet-stream',
});

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
  params: { file: { description: 'Name of the file, as the page holds it.', schema: z.string() } },
  answers: { 200: { description: 'A file.' } },
  handle: async ({ rawPath, headers }) =>
    serve(files, { name: rawPath.slice(1), cacheControl: 'public, max-age=31536000, immutable', headers }),
});

interface FileRequest {
  readonly name: string;
  readonly cacheControl: string;
  readonly headers: Headers;
}

function serve(files: ViewerFiles, { name, cacheControl, headers }: FileRequest): Response {
  const file = files.get(name);
  if (file === undefined) throw notFound('unknown-file', 'The viewer has no such file.');
  const isGzipped = /\bgzip\b/.test(headers.get('accept-encoding') ?? '');
  return new Response(isGzipped ? file.gzipped : file.bytes, {
    headers: {
      'content-type': file.type,
      'cache-control': cacheControl,
      vary: 'accept-encoding',
      ...(isGzipped ? { 'content-encoding': 'gzip' } : {}),
    },
  });
}
