import { epsg, frame } from '../../setting/frame.ts';
import type { CloudMasks } from './cloud-masks.ts';
import type { CornerRing } from './mask-outline.ts';
import { traceMask } from './mask-outline.ts';
import type { TileWindow } from './plan.ts';

/** `MSK_CLOUDS_B00.gml`: the outlines of opaque clouds and cirrus, in the tile's coordinates. */
export function toCloudGml(masks: CloudMasks, window: TileWindow, granuleId: string): string {
  const { width, height, pixelM } = masks;
  const toText = (ring: CornerRing) =>
    ring
      .map(([column, row]) => {
        const x = frame.west + window.x + column * pixelM;
        return `${x} ${frame.north - window.y - row * pixelM}`;
      })
      .join(' ');
  const toRing = (ring: CornerRing) => `<gml:LinearRing>
              <gml:posList srsDimension="2">${toText(ring)}</gml:posList>
            </gml:LinearRing>`;
  const members = (['opaque', 'cirrus'] as const).flatMap((kind) =>
    traceMask({ width, height, pixels: masks[kind] }).map(([outline, ...holes], number) => {
      const type = kind.toUpperCase();
      const interiors = holes.map(
        (hole) => `
          <gml:interior>
            ${toRing(hole)}
          </gml:interior>`,
      );
      return `    <eop:MaskFeature gml:id="${type}.${number}">
      <eop:maskType codeSpace="urn:gs2:S2PDGS:maskType">${type}</eop:maskType>
      <eop:extentOf>
        <gml:Polygon gml:id="${type}.${number}_Polygon">
          <gml:exterior>
            ${toRing(outline!)}
          </gml:exterior>${interiors.join('')}
        </gml:Polygon>
      </eop:extentOf>
    </eop:MaskFeature>
`;
    }),
  );
  const id = granuleId.replace('_MSI_L1C_TL_', '_MSK_CLOUDS_').replace(/_N[\d.]+$/, '_B00_MSIL1C');
  const [west, north] = [frame.west + window.x, frame.north - window.y];
  // a mask without clouds has neither an envelope nor members
  const content = `  <gml:boundedBy>
    <gml:Envelope srsName="urn:ogc:def:crs:EPSG:8.7:${epsg}">
      <gml:lowerCorner>${west} ${north - window.height}</gml:lowerCorner>
      <gml:upperCorner>${west + window.width} ${north}</gml:upperCorner>
    </gml:Envelope>
  </gml:boundedBy>
  <eop:maskMembers>
${members.join('')}  </eop:maskMembers>
`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<eop:Mask xmlns:eop="http://www.opengis.net/eop/2.0" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:gml="http://www.opengis.net/gml/3.2" gml:id="${id}">
  <gml:name>MSK_CLOUDS pixels mask from data-strip ${id}</gml:name>
${members.length === 0 ? '  <eop:maskMembers/>\n' : content}</eop:Mask>
`;
}
