import type { Affine } from '../../../geo/index.ts';
import type { WrittenImage } from './written-codestream.ts';

/** Where a written image lies. */
export interface WrittenGeoreference {
  readonly epsg: number;
  readonly transform: Affine;
}

/**
 * The GMLJP2 root instance of a projected image (OGC 05-047r3): its box, and its grid from the centre of the first
 * pixel. The numbers are shortest decimals, so they are read back exactly.
 */
export function toGmlText({ width, height }: WrittenImage, { epsg, transform }: WrittenGeoreference): string {
  const [west, right, downX, north, rightY, down] = transform;
  const srs = `srsName="urn:ogc:def:crs:EPSG::${epsg}"`;
  const corners = [
    [0, 0],
    [width, 0],
    [0, height],
    [width, height],
  ].map(([x, y]) => [west + right * x! + downX * y!, north + rightY * x! + down * y!] as const);
  const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
  return `<?xml version="1.0" encoding="UTF-8"?>
<gml:FeatureCollection xmlns:gml="http://www.opengis.net/gml" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://www.opengis.net/gml http://schemas.opengis.net/gml/3.1.1/profiles/gmlJP2Profile/1.0.0/gmlJP2Profile.xsd">
  <gml:boundedBy>
    <gml:Envelope ${srs}>
      <gml:lowerCorner>${Math.min(...xs)} ${Math.min(...ys)}</gml:lowerCorner>
      <gml:upperCorner>${Math.max(...xs)} ${Math.max(...ys)}</gml:upperCorner>
    </gml:Envelope>
  </gml:boundedBy>
  <gml:featureMember>
    <gml:FeatureCollection>
      <gml:featureMember>
        <gml:RectifiedGridCoverage dimension="2" gml:id="RGC0001">
          <gml:rectifiedGridDomain>
            <gml:RectifiedGrid dimension="2">
              <gml:limits>
                <gml:GridEnvelope>
                  <gml:low>0 0</gml:low>
                  <gml:high>${width - 1} ${height - 1}</gml:high>
                </gml:GridEnvelope>
              </gml:limits>
              <gml:axisName>x</gml:axisName>
              <gml:axisName>y</gml:axisName>
              <gml:origin>
                <gml:Point gml:id="P0001" ${srs}>
                  <gml:pos>${west + (right + downX) / 2} ${north + (rightY + down) / 2}</gml:pos>
                </gml:Point>
              </gml:origin>
              <gml:offsetVector ${srs}>${right} ${rightY}</gml:offsetVector>
              <gml:offsetVector ${srs}>${downX} ${down}</gml:offsetVector>
            </gml:RectifiedGrid>
          </gml:rectifiedGridDomain>
          <gml:rangeSet>
            <gml:File>
              <gml:rangeParameters/>
              <gml:fileName>gmljp2://codestream/0</gml:fileName>
              <gml:fileStructure>Record Interleaved</gml:fileStructure>
            </gml:File>
          </gml:rangeSet>
        </gml:RectifiedGridCoverage>
      </gml:featureMember>
    </gml:FeatureCollection>
  </gml:featureMember>
</gml:FeatureCollection>
`;
}
