/** The gallery of the documentation is the one that `npm run pictures` would write, and leaves no sensor of the demo out. */
import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { test } from 'node:test';
import { planSheets } from '../scripts/gallery/take-gallery.ts';
import { writePage } from '../scripts/gallery/write-page.ts';
import { RESAMPLE_NAMES } from '../src/http/pictures/picture.ts';
import { sensorByDataset } from '../src/sensors/index.ts';
import { DEMO_DATASETS } from './support/demo-datasets.ts';

const REFERENCES = { classes: 'CLASSES', area: 'AREA', parts: 'PARTS' };
const sheets = planSheets(REFERENCES);
const addresses = sheets.flatMap(({ pictures }) => pictures.map(({ address }) => address));

test('the page says what the plan says', () => {
  assert.equal(readFileSync('docs/use/gallery.md', 'utf8'), writePage(sheets, REFERENCES));
});

test('every sheet is there, and small enough for a page', () => {
  for (const { name } of sheets) {
    const { size } = statSync(`docs/images/gallery-${name}.jpg`);
    assert.ok(size > 50_000 && size <= 250_000, `${name} has ${size} bytes`);
  }
});

test('every sensor of the demo and every way of resampling has a picture', () => {
  for (const dataset of DEMO_DATASETS) {
    const abbreviation = sensorByDataset(dataset)?.abbreviation;
    assert.ok(
      addresses.some((address) => address.startsWith(`/api/render/${abbreviation}/`)),
      dataset,
    );
  }
  for (const name of RESAMPLE_NAMES) {
    assert.ok(
      addresses.some((address) => address.includes(`RESAMPLE=${name}&`)),
      name,
    );
  }
});
