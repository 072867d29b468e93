import { epsg, frame } from '../../setting.ts';
import type { BandGroup } from './band-groups.ts';
import type { CornerRing } from './mask-outline.ts';
import { traceMask } from './mask-outline.ts';
import type { TileWindow } from './plan.ts';
import type { Strip } from './write-group.ts';

/** Clouds and snow of a product on its coarsest grid, 1 where there are some. */
export interface CloudMasks {
  readonly width: number;
  readonly height: number;
  readonly pixelM: number;
  readonly opaque: Uint8Array;
  readonly cirrus: Uint8Array;
  readonly snow: Uint8Array;
  /** 1 where nothing was measured. */
  readonly outside: Uint8Array;
}

/** Share of a pixel from which on it counts as snow. */
const MOSTLY = 0.5;

/** Empty masks of a group of bands, to be filled strip by strip. */
export function makeCloudMasks({ width, height, pixelM }: BandGroup): CloudMasks {
  const make = () => new Uint8Array(width * height);
  return { width, height, pixelM, opaque: make(), cirrus: make(), snow: make(), outside: make() };
}

/** Enters a strip of the group the masks were made for. */
export function addToMasks(masks: CloudMasks, { row, exposure, outside }: Strip): void {
  const start = row * masks.width;
  const { opaque, cirrus, painted } = exposure;
  for (let i = 0; i < opaque.length; i++) {
    const at = start + i;
    if (outside?.[i] === 1) {
      masks.outside[at] = 1;
      continue;
    }
    masks.opaque[at] = opaque[i]!;
    masks.cirrus[at] = opaque[i] === 1 ? 0 : cirrus[i]!;
    masks.snow[at] = opaque[i] === 0 && painted.snow[i]! >= MOSTLY ? 1 : 0;
  }
}

/** Shares in percent: of the window that was measured, and of that under clouds of either kind. */
export function measureMasks({ opaque, cirrus, outside }: CloudMasks): {
  readonly coverage: number;
  readonly cloudy: number;
} {
  const count = (mask: Uint8Array) => mask.reduce((sum, flag) => sum + flag, 0);
  const measured = outside.length - count(outside);
  return {
    coverage: (100 * measured) / outside.length,
    cloudy: (100 * (count(opaque) + count(cirrus))) / Math.max(1, measured),
  };
}

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
