import { readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
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

/** Files of the viewer by name, read once: the set is small, and no request ever becomes a path on disk. */
export type ViewerFiles = ReadonlyMap<
  string,
  { readonly bytes: Uint8Array<ArrayBuffer>; readonly type: string }
>;

/** Reads the built viewer from its folder. */
export function readViewer(folder: URL): ViewerFiles {
  try {
    const names = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(
        (entry) =>
          `${entry.parentPath}/${entry.name}`.replaceAll('\\', '/').split('/web/dist/').at(-1) as string,
      );
    return new Map(
      names.map((name) => [
        name,
        {
          bytes: new Uint8Array(readFileSync(new URL(name, folder))),
          type: MEDIA_TYPES[extname(name)] ?? 'application/octet-stream',
        },
      ]),
    );
  } catch (error) {
    throw internal('no-viewer', 'The viewer is not built. Run "npm run prepare" in the checkout.', {
      cause: error,
    });
  }
}

/** `GET /`: the page. */
export const viewerPage = (files: ViewerFiles): Endpoint => ({
  summary: 'The map viewer',
  tag: 'Service',
  answers: { 200: { description: 'A page.', content: { 'text/html': null } } },
  handle: async () => serve(files, 'index.html', 'no-cache'),
});

/** `GET /assets/*`: scripts and styles of the page; their names carry a hash of their content. */
export const viewerAsset = (files: ViewerFiles): Endpoint => ({
  summary: 'Files of the map viewer',
  tag: 'Service',
  answers: { 200: { description: 'A file.' } },
  handle: async ({ rawPath }) => serve(files, rawPath.slice(1), 'public, max-age=31536000, immutable'),
});

function serve(files: ViewerFiles, name: string, cacheControl: string): Response {
  const file = files.get(name);
  if (file === undefined) throw notFound('unknown-file', 'The viewer has no such file.');
  return new Response(file.bytes, { headers: { 'content-type': file.type, 'cache-control': cacheControl } });
}
