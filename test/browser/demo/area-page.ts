/** The panel Area: where its parts are, and shapes for it. */
import type { Page } from 'playwright-core';
import type { Position } from '../../../web/shapes/shape.ts';
import { whenMapIdle } from '../map-pixels.ts';

/** The button of a drawing tool. */
export const tool = (page: Page, name: string) =>
  page.locator('.tools').first().getByRole('button', { name });

/** Waits until the panel is there and the map is drawn. */
export const whenShown = async (page: Page): Promise<void> => {
  await page.locator('.area').waitFor();
  await whenMapIdle(page);
};

/** With plain spaces. */
export const plain = (text: string): string => text.replaceAll('\u00a0', ' ');

/** A square, by its south-west corner and its side in degrees. */
export const ring = (west: number, south: number, size: number): readonly Position[] => [
  [west, south],
  [west, south + size],
  [west + size, south + size],
  [west + size, south],
  [west, south],
];

/** Two shapes, one with a hole, and a point, which is none. */
export const KML = `<?xml version="1.0"?><kml xmlns="http://www.opengis.net/kml/2.2"><Document>
<Placemark><name>North &amp; south</name><MultiGeometry>
 <Polygon><outerBoundaryIs><LinearRing><coordinates>${ring(-122.41, 48.21, 0.004)
   .map((at) => `${at.join()},7`)
   .join(' ')}</coordinates></LinearRing></outerBoundaryIs>
 <innerBoundaryIs><LinearRing><coordinates>${ring(-122.409, 48.211, 0.001)
   .map((at) => at.join())
   .join('\n')}</coordinates></LinearRing></innerBoundaryIs></Polygon>
 <Polygon><outerBoundaryIs><LinearRing><coordinates>${ring(-122.4, 48.21, 0.004)
   .map((at) => at.join())
   .join(' ')}</coordinates></LinearRing></outerBoundaryIs></Polygon>
</MultiGeometry></Placemark>
<Placemark><name>Path</name><LineString><coordinates>-122.41,48.22 -122.39,48.23</coordinates></LineString></Placemark>
<Placemark><Point><coordinates>1,2</coordinates></Point></Placemark>
</Document></kml>`;
