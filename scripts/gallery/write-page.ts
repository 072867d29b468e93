import type { GalleryReferences } from './references.ts';
import { areaBody, colormapBody, partsBody } from './references.ts';
import type { GallerySheet } from './sheet.ts';

const HEAD = `# Gallery

Every sensor and every effect, drawn by Swath from its own [demo world](demo-world.md): an invented landscape, the same to the last byte wherever it is made. \`npm run pictures\` draws all of it anew, and writes this page.

Pictures of a sheet are counted by row and column from its upper left corner. Each has its address, which works as it is in any Swath with the demo world:

    KEY=apk.…
    curl -s -H "x-api-key: $KEY" "localhost:8080/api/render/S2L2A/10/U/EU/2026/6/21/1/NDVI/14/2621/5680" -o picture

Where a picture is transparent, the sheet is grey. [pictures.md](pictures.md) explains the addresses.
`;

const oneLine = (body: unknown): string => JSON.stringify(body);

/** How the things that addresses refer to are made, for whoever wants to repeat them. */
const TAIL = `## What the addresses refer to

\`CLASSES\`, \`AREA\` and \`PARTS\` stand for what a service answers when it is told of these. A colormap has the same id everywhere; areas have a reference of their own on each service.

    curl -s -H "x-api-key: $KEY" localhost:8080/api/render/colormap/ -d '${oneLine(colormapBody)}'
    curl -s -H "x-api-key: $KEY" localhost:8080/api/render/cropper/ -d '${oneLine(areaBody)}'
    curl -s -H "x-api-key: $KEY" localhost:8080/api/render/cropper/ -d '${oneLine(partsBody)}'
`;

/** Writes the page of the gallery: every sheet with a table of its pictures, in their order. */
export function writePage(sheets: readonly GallerySheet[], references: GalleryReferences): string {
  const names = Object.entries(references).map(([name, value]) => [value, name.toUpperCase()] as const);
  const toShown = (address: string): string =>
    names.reduce((text, [value, name]) => text.replaceAll(value, name), address);
  const parts = sheets.map(({ name, title, text, columns, pictures }) => {
    const rows = pictures.map((picture, i) => {
      const place = `${Math.floor(i / columns) + 1}.${(i % columns) + 1}`;
      return `| ${place} | ${picture.title} | \`${toShown(picture.address)}\` |`;
    });
    return [
      `## ${title}\n\n${text}\n\n![${title}](images/gallery-${name}.jpg)\n`,
      ...['| | | Address |', '|---|---|---|', ...rows],
    ].join('\n');
  });
  return [HEAD, ...parts.map((part) => `${part}\n`), TAIL].join('\n');
}
