import { writeFileSync } from 'node:fs';
import { SERVICE_KEY } from '../../test/support/start-swath.ts';
import { drawSheet } from './draw-sheet.ts';
import { planColorSheet } from './plan-colors.ts';
import { planComputedSheet, planFramedSheet } from './plan-effects.ts';
import { mosaicSheet } from './plan-mosaics.ts';
import { naturalSheet } from './plan-natural.ts';
import { resamplingSheet } from './plan-resampling.ts';
import { sensorSheets } from './plan-sensors.ts';
import { terrainSheet } from './plan-terrain.ts';
import type { GalleryReferences } from './references.ts';
import { makeReferences } from './references.ts';
import type { GallerySheet } from './sheet.ts';
import { writePage } from './write-page.ts';

const headers = { 'x-api-key': SERVICE_KEY };

async function ask(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  if (response.status !== 200) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  return response;
}

/** All sheets in the order of the page. */
export const planSheets = (references: GalleryReferences): readonly GallerySheet[] => [
  ...sensorSheets,
  naturalSheet,
  mosaicSheet,
  ...[planColorSheet, planComputedSheet, planFramedSheet].map((plan) => plan(references)),
  terrainSheet,
  resamplingSheet,
];

/** Draws every sensor and every effect from a service with the demo world, and writes `docs/use/gallery.md`. */
export async function takeGallery(
  url: string,
  keep: (name: string, bytes: Uint8Array) => void,
): Promise<void> {
  const references = await makeReferences(async (path, body) => {
    const response = await ask(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    return (await response.json()) as Record<string, string>;
  });
  const sheets = planSheets(references);
  for (const sheet of sheets) {
    const bytes = await drawSheet(sheet, async (address) => {
      const response = await ask(`${url}${address}`, { headers });
      return Buffer.from(await response.arrayBuffer());
    });
    keep(`gallery-${sheet.name}.jpg`, bytes);
  }
  writeFileSync('docs/use/gallery.md', writePage(sheets, references));
}
