import { toDataRing, toLonLatRing } from './footprint.ts';
import type { ProductNames } from './names.ts';
import type { Sentinel2Plan } from './plan.ts';

/** `manifest.safe`: which files belong to the product. */
export function toManifest(facts: {
  readonly plan: Sentinel2Plan;
  readonly names: ProductNames;
  /** Of all files except `MTD_MSIL1C.xml`. */
  readonly paths: readonly string[];
}): string {
  const { plan, names, paths } = facts;
  const objects = ['MTD_MSIL1C.xml', ...paths].map(
    (path) => `    <dataObject ID="${toId(path)}">
      <byteStream mimeType="${path.endsWith('.xml') ? 'text/xml' : 'application/octet-stream'}">
        <fileLocation locatorType="URL" href="./${path}"/>
      </byteStream>
    </dataObject>
`,
  );
  const footprint = toLonLatRing(toDataRing(plan)).map(([lon, lat]) => `${lat} ${lon}`);
  return `<?xml version="1.0" encoding="UTF-8"?>
<xfdu:XFDU xmlns:xfdu="urn:ccsds:schema:xfdu:1" xmlns:safe="http://www.esa.int/safe/sentinel/1.1" xmlns:gml="http://www.opengis.net/gml" version="esa/safe/sentinel/1.1/sentinel-2/msi/archive_l1c_user_product">
  <informationPackageMap>
    <xfdu:contentUnit unitType="Product_Level-1C" textInfo="SENTINEL-2 MSI Level-1C User Product" ID="S2_Level-1C_Product"/>
  </informationPackageMap>
  <metadataSection>
    <metadataObject ID="acquisitionPeriod" classification="DESCRIPTION" category="DMD">
      <metadataWrap mimeType="text/xml" vocabularyName="SAFE" textInfo="Acquisition Period">
        <xmlData>
          <safe:acquisitionPeriod>
            <safe:startTime>${new Date(names.datatakeAtMs).toISOString()}</safe:startTime>
          </safe:acquisitionPeriod>
        </xmlData>
      </metadataWrap>
    </metadataObject>
    <metadataObject ID="measurementFrameSet" classification="DESCRIPTION" category="DMD">
      <metadataWrap mimeType="text/xml" vocabularyName="SAFE" textInfo="Frame Set">
        <xmlData>
          <safe:frameSet>
            <safe:footPrint srsName="http://www.opengis.net/gml/srs/epsg.xml#4326">
              <gml:coordinates>${footprint.join(' ')}</gml:coordinates>
            </safe:footPrint>
          </safe:frameSet>
        </xmlData>
      </metadataWrap>
    </metadataObject>
  </metadataSection>
  <dataObjectSection>
${objects.join('')}  </dataObjectSection>
</xfdu:XFDU>
`;
}

/** An XML name out of a path. */
const toId = (path: string): string => path.replace(/[^A-Za-z0-9]+/g, '_');
