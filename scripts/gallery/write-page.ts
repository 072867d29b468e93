import type { GalleryReferences } from './references.ts';
import { areaBody, colormapBody, partsBody } from './references.ts';
import type { GallerySheet } from './sheet.ts';

const HEAD = `# Gallery

Every effect and every sensor of the [demo world](demo-world.md), a synthetic landscape that is byte-for-byte identical on every machine. \`npm run pictures\` renders all pictures again and writes this page.

Pictures of a sheet are numbered by row and column from its upper left corner. Each is listed with its URL, which works on any Swath with the demo world:

    KEY=apk.…
    curl -s -H "x-api-key: $KEY" "localhost:8080/api/render/S2L2A/10/U/EU/2026/6/21/1/NDVI/14/2621/5680" -o picture

Transparent pixels are shown in grey. [pictures.md](pictures.md) explains the URLs.
`;

const oneLine = (body: unknown): string => JSON.stringify(body);

/** How to create the colormap and areas that the URLs refer to. */
const TAIL = `## What the URLs refer to

\`CLASSES\`, \`AREA\` and \`PARTS\` stand for the ids that a service returns for the requests below. A colormap has the same id on every service; the reference of an area differs between services.

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
      const number = `${Math.floor(i / columns) + 1}.${(i % columns) + 1}`;
      return `| ${number} | ${picture.title} | \`${toShown(picture.address)}\` |`;
    });
    return [
      `## ${title}\n\n${text}\n\n![${title}](../images/gallery-${name}.jpg)\n`,
      ...['| | | Address |', '|---|---|---|', ...rows],
    ].join('\n');
  });
  return [HEAD, ...parts.map((part) => `${part}\n`), TAIL].join('\n');
}
