import type { Grid } from '../../geo/index.ts';
import { gridBounds } from '../../geo/index.ts';

interface Overlay {
  /** In longitude and latitude: a viewer spreads the rows of the image evenly over the latitudes of the box. */
  readonly grid: Grid;
  readonly name: string;
  /** Path of the image in the archive. */
  readonly href: string;
}

/** KML 2.2 of an image on the ground. */
export function toOverlayKml({ grid, name, href }: Overlay): string {
  const { minX, minY, maxX, maxY } = gridBounds(grid);
  return `<?xml version="1.0" encoding="UTF-8"?>
<kml xmlns="http://www.opengis.net/kml/2.2">
  <Document>
    <name>${escapeText(name)}</name>
    <GroundOverlay>
      <name>${escapeText(name)}</name>
      <Icon>
        <href>${escapeText(href)}</href>
      </Icon>
      <LatLonBox>
        <north>${maxY}</north>
        <south>${minY}</south>
        <east>${maxX}</east>
        <west>${minX}</west>
      </LatLonBox>
    </GroundOverlay>
  </Document>
</kml>
`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

const escapeText = (text: string): string => text.replaceAll(/[&<>"]/g, (one) => ENTITIES[one] ?? one);
