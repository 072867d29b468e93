/** Management zones of a field of the demo world, on the map, in the legend and in the file. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findDemoField } from '../../support/demo-field.ts';
import { SERVICE_KEY } from '../../support/start-swath.ts';
import { describeDemo } from '../describe-demo.ts';
import { findFaults } from '../find-faults.ts';
import type { MapPixels } from '../map-pixels.ts';
import { whenDrawn } from '../map-pixels.ts';
import { readDownload } from '../read-download.ts';
import { whenCount } from '../when-shown.ts';

type Ring = readonly (readonly [number, number])[];
interface ZoneFile {
  readonly features: readonly {
    readonly properties: {
      readonly zone: number;
      readonly mean: number;
      readonly area_ha: number;
      readonly color: string;
      readonly view_id: string;
    };
    readonly geometry: { readonly type: 'MultiPolygon'; readonly coordinates: readonly (readonly Ring[])[] };
  }[];
}

/** Square metres on a sphere cut flat: good to a thousandth for a field. */
const areaOf = (ring: Ring): number => {
  const lat = ring[0]?.[1] ?? 0;
  const [mx, my] = [111_412.84 * Math.cos((lat * Math.PI) / 180) * 1.0011, 111_194];
  let sum = 0;
  for (let i = 1; i < ring.length; i++) {
    const [[x0, y0], [x1, y1]] = [ring[i - 1]!, ring[i]!];
    sum += (x0 * y1 - x1 * y0) * mx * my;
  }
  return sum / 2;
};

const toRgb = (color: string): number[] =>
  [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));

describeDemo('management zones in the demo world', (bench) => {
  test('zones are drawn on the map in the colours of the legend; areas and means add up to those of the field', async () => {
    const field = await findDemoField();
    const ring = field.ring.map((position) => position.map((degrees) => Number(degrees.toFixed(6))));
    const lons = ring.map(([lon = 0]) => lon);
    const lats = ring.map(([, lat = 0]) => lat);
    const middle = [(Math.min(...lons) + Math.max(...lons)) / 2, (Math.min(...lats) + Math.max(...lats)) / 2];
    const area = ring
      .slice(0, -1)
      .map((position) => position.join())
      .join(';');
    await using watched = await bench.open(
      `#map=14.80/${middle[1]?.toFixed(5)}/${middle[0]?.toFixed(5)}&scene=S2B_tile_20260621_10UEU_1&dataset=sentinel2l2a&panel=area&area=${area}`,
      { acceptDownloads: true, bypassCSP: true },
    );
    const { page, problems } = watched;
    await page.getByLabel('Zones', { exact: true }).selectOption('3');
    await page.getByLabel('Smallest patch').selectOption('0');
    await page.getByRole('button', { name: 'Make zones' }).click();
    const save = page.getByRole('button', { name: 'Save GeoJSON' });
    await save.waitFor();
    const { name, content } = await readDownload(page, save);
    assert.equal(name, 'zones-NDVI-2026-06-21.geojson');
    const file = JSON.parse(content) as ZoneFile;
    const zones = file.features.map(({ properties }) => properties);
    assert.equal(zones.length, 3);
    assert.ok(
      zones.every(({ mean }, i) => i === 0 || mean > zones[i - 1]!.mean),
      'from low to high',
    );

    // Rings are closed, and their areas are those of the pixels.
    for (const { properties, geometry } of file.features) {
      const rings = geometry.coordinates.flat();
      for (const one of rings) assert.deepEqual(one[0], one.at(-1));
      const sum = rings.reduce((total, one) => total + areaOf(one), 0);
      assert.ok(
        Math.abs(sum / 10_000 / properties.area_ha - 1) < 0.01,
        `${sum} m² of ${properties.area_ha} ha`,
      );
    }
    const response = await fetch(`${bench.swath.url}/api/statistics`, {
      method: 'POST',
      headers: { 'x-api-key': SERVICE_KEY, 'content-type': 'application/json' },
      body: JSON.stringify({
        geometry: { type: 'Polygon', coordinates: [ring] },
        expressions: ['NDVI'],
        sensors: ['sentinel2l2a'],
        date_start: '2026-06-21',
        date_end: '2026-06-21',
        exclude_cover_pixels: false,
      }),
    });
    const { results } = (await response.json()) as {
      results: { view_id: string; values: { NDVI: { average: number; count: number } } }[];
    };
    const measured = results.find(({ view_id: viewId }) => viewId === zones[0]?.view_id)?.values.NDVI;
    const total = zones.reduce((sum, { area_ha: areaHa }) => sum + areaHa, 0);
    assert.ok(
      measured !== undefined && Math.abs(total - measured.count / 100) <= 0.02 * total,
      `${total} ha`,
    );
    const mean = zones.reduce((sum, zone) => sum + zone.mean * zone.area_ha, 0) / total;
    assert.ok(Math.abs(mean - measured.average) < 0.01, `${mean}, not ${measured.average}`);

    // The map shows the legend's colours where the polygons are.
    const legend = page.getByRole('region', { name: 'Legend' });
    await whenCount(legend.locator('li'), 3);
    const largest = file.features.toSorted((a, b) => b.properties.area_ha - a.properties.area_ha)[0]!;
    const { color } = largest.properties;
    const countOf = ({ heightPx, widthPx, at }: MapPixels): number => {
      let count = 0;
      for (let y = 0; y < heightPx; y += 2) {
        for (let x = 0; x < widthPx; x += 2) if (at(x, y).join() === toRgb(color).join()) count++;
      }
      return count;
    };
    await whenDrawn(page, (pixels) => assert.ok(countOf(pixels) > 0, `no ${color} on the map`));
    assert.deepEqual(await findFaults(page), []);

    await page.getByRole('button', { name: 'Remove' }).click();
    await page.waitForURL(({ hash }) => !hash.includes('zones='));
    await whenDrawn(page, (pixels) => assert.ok(countOf(pixels) < 10, 'the zones are off the map'));
    assert.deepEqual(problems, []);
  });
});
