/** The shown picture as text for other programs. Each works as it is pasted, with a key in it. */
import type { Box } from '../../scenes/footprint.ts';
import { fillRectangle, planSize, toTile } from '../../scenes/rectangle.ts';
import type { MapView } from '../../state/map-view.ts';

/** What stands for the key in files and addresses. */
export const KEY_WORD = 'YOUR_KEY';
/** What stands for it in a shell. */
export const KEY_VARIABLE = '$SWATH_KEY';

/** The picture to share. */
export interface Shared {
  /** The tile address with `{z}/{x}/{y}`, bands and options, without a key. */
  readonly template: string;
  readonly title: string;
  /** Zoom of the finest tiles. */
  readonly maxZoom: number;
  readonly view: MapView;
  readonly bounds: Box;
  readonly maplibreVersion: string;
}

/** Programs there are snippets for, in their order. */
export const PROGRAMS = ['tile', 'curl', 'qgis', 'leaflet', 'maplibre', 'python'] as const;

/** One of them. */
export type Program = (typeof PROGRAMS)[number];

const LEAFLET_VERSION = '1.9.4';
/** Wide enough for a slide, quick to draw. */
const PICTURE_PX = 1024;

const withParameter = (url: string, parameter: string): string =>
  `${url}${url.includes('?') ? '&' : '?'}${parameter}`;

/** Where programs cannot send a header, the key is in the address. */
const withKey = (url: string): string => withParameter(url, `api_key=${KEY_WORD}`);

/** A text as a literal of JavaScript and Python alike; `<` cannot end the script that it is in. */
const quote = (text: string): string => JSON.stringify(text).replaceAll('<', '\\u003c');

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** The zoom of 256 px tiles: MapLibre counts in tiles of 512. */
const toTileZoom = ({ view, maxZoom }: Shared): number =>
  Math.max(0, Math.min(maxZoom, Math.round(view.zoom) + 1));

const toCurl = (shared: Shared): string => {
  const z = toTileZoom(shared);
  const { x, y } = toTile(shared.view.lon, shared.view.lat, z);
  const url = shared.template.replace('{z}', `${z}`).replace('{x}', `${x}`).replace('{y}', `${y}`);
  // In single quotes nothing has a meaning of its own, except the quote, which an encoded address may hold.
  const quoted = withParameter(url, 'mimetype=image/png').replaceAll("'", '%27');
  return `curl -f -o tile.png -H "x-api-key: ${KEY_VARIABLE}" '${quoted}'`;
};

const toPage = (title: string, head: readonly string[], body: readonly string[]): string =>
  [
    '<!doctype html>',
    '<html lang="en">',
    '  <head>',
    '    <meta charset="utf-8">',
    `    <title>${escapeHtml(title)}</title>`,
    ...head.map((line) => `    ${line}`),
    '    <style>html, body, #map { height: 100%; margin: 0; }</style>',
    '  </head>',
    '  <body>',
    '    <div id="map"></div>',
    ...body.map((line) => `    ${line}`),
    '  </body>',
    '</html>',
  ].join('\n');

const toLeaflet = (shared: Shared): string => {
  const { title, template, maxZoom, view } = shared;
  const library = `https://unpkg.com/leaflet@${LEAFLET_VERSION}/dist/leaflet`;
  return toPage(
    title,
    [`<link rel="stylesheet" href="${library}.css">`],
    [
      `<script src="${library}.js"></script>`,
      '<script>',
      `  const map = L.map('map').setView([${view.lat.toFixed(5)}, ${view.lon.toFixed(5)}], ${toTileZoom(shared)});`,
      `  L.tileLayer(${quote(withKey(template))}, {`,
      `    maxNativeZoom: ${maxZoom},`,
      '    maxZoom: 20,',
      `    attribution: ${quote(title)},`,
      '  }).addTo(map);',
      '</script>',
    ],
  );
};

const toMaplibre = ({ title, template, maxZoom, view, maplibreVersion }: Shared): string => {
  const library = `https://unpkg.com/maplibre-gl@${maplibreVersion}/dist/maplibre-gl`;
  return toPage(
    title,
    [`<link rel="stylesheet" href="${library}.css">`],
    [
      '<script type="module">',
      `  import { Map } from '${library}.mjs';`,
      '',
      '  new Map({',
      "    container: 'map',",
      `    center: [${view.lon.toFixed(5)}, ${view.lat.toFixed(5)}],`,
      `    zoom: ${view.zoom.toFixed(2)},`,
      '    style: {',
      '      version: 8,',
      '      sources: {',
      '        scene: {',
      "          type: 'raster',",
      `          tiles: [${quote(withKey(template))}],`,
      '          tileSize: 256,',
      `          maxzoom: ${maxZoom},`,
      `          attribution: ${quote(title)},`,
      '        },',
      '      },',
      "      layers: [{ id: 'scene', type: 'raster', source: 'scene' }],",
      '    },',
      '  });',
      '</script>',
    ],
  );
};

const toPython = ({ template, bounds }: Shared): string => {
  const picture = fillRectangle(template, bounds, planSize(bounds, PICTURE_PX));
  return [
    'import urllib.request',
    '',
    `url = ${quote(withParameter(picture, 'mimetype=image/png'))}`,
    `request = urllib.request.Request(url, headers={"x-api-key": "${KEY_WORD}"})`,
    'with urllib.request.urlopen(request, timeout=60) as answer, open("picture.png", "wb") as file:',
    '    file.write(answer.read())',
    'print("picture.png saved")',
  ].join('\n');
};

const makers: Readonly<Record<Program, (shared: Shared) => string>> = {
  tile: ({ template }) => withKey(template),
  curl: toCurl,
  qgis: ({ template }) => withKey(template),
  leaflet: toLeaflet,
  maplibre: toMaplibre,
  python: toPython,
};

/** The snippet for a program. */
export const toSnippet = (program: Program, shared: Shared): string => makers[program](shared);
