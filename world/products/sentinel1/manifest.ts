import type { ProductFacts } from './product-facts.ts';
import { toTimeText } from './product-facts.ts';

/** A file of the product, as the manifest lists it. */
export interface ListedFile {
  /** Inside the product: `measurement/s1a-….tiff`. */
  readonly path: string;
  readonly kind: 'product' | 'calibration' | 'noise' | 'measurement';
  readonly sizeBytes: number;
  readonly md5: string;
}

interface Listed {
  readonly facts: ProductFacts;
  readonly direction: 'ascending' | 'descending';
  readonly files: readonly ListedFile[];
  readonly corners: readonly (readonly [lon: number, lat: number])[];
}

const SCHEMAS = {
  product: 's1Level1ProductSchema',
  calibration: 's1Level1CalibrationSchema',
  noise: 's1Level1NoiseSchema',
  measurement: 's1Level1MeasurementSchema',
} as const;

/** The files that describe a measurement; readers find them by its name after their kind. */
const DESCRIPTIONS = ['product', 'noise', 'calibration'] as const;

/** Names that other parts of the manifest point to: the file's, without anything but letters and digits. */
const toId = ({ path, kind }: ListedFile): string => {
  const name = (path.split('/').at(-1) ?? '').replace(/\.\w+$/, '').replaceAll('-', '');
  return kind === 'product' ? `product${name}` : name;
};

/** `manifest.safe`. */
export function toManifest({ facts, direction, files, corners }: Listed): string {
  const units = files.map((file) => {
    const [unit, describedBy] =
      file.kind === 'measurement'
        ? [
            'Measurement Data Unit',
            ` dmdID="${DESCRIPTIONS.map((kind) => `${kind}${toId(file)}Annotation`).join(' ')}"`,
          ]
        : ['Metadata Unit', ''];
    return `      <xfdu:contentUnit unitType="${unit}" repID="${SCHEMAS[file.kind]}"${describedBy}><dataObjectPointer dataObjectID="${toId(file)}"/></xfdu:contentUnit>`;
  });
  const descriptions = files
    .filter(({ kind }) => kind !== 'measurement')
    .map(
      (file) =>
        `    <metadataObject ID="${toId(file)}Annotation" classification="DESCRIPTION" category="DMD"><dataObjectPointer dataObjectID="${toId(file)}"/></metadataObject>`,
    );
  const objects = files.map((file) => {
    const type = file.kind === 'measurement' ? 'application/octet-stream' : 'text/xml';
    return `    <dataObject ID="${toId(file)}" repID="${SCHEMAS[file.kind]}">
      <byteStream mimeType="${type}" size="${file.sizeBytes}">
        <fileLocation locatorType="URL" href="./${file.path}"/>
        <checksum checksumName="MD5">${file.md5}</checksum>
      </byteStream>
    </dataObject>`;
  });
  const ring = corners.map(([lon, lat]) => `${lat.toFixed(6)},${lon.toFixed(6)}`).join(' ');
  // an hour from the radar to the archive
  const [begun, done] = [toTimeText(facts.stopMs + 3_000_000), toTimeText(facts.stopMs + 3_600_000)];
  return `<?xml version="1.0" encoding="UTF-8"?>
<xfdu:XFDU xmlns:gml="http://www.opengis.net/gml" xmlns:xfdu="urn:ccsds:schema:xfdu:1" xmlns:safe="http://www.esa.int/safe/sentinel-1.0" xmlns:s1="http://www.esa.int/safe/sentinel-1.0/sentinel-1" xmlns:s1sarl1="http://www.esa.int/safe/sentinel-1.0/sentinel-1/sar/level-1" version="esa/safe/sentinel-1.0/sentinel-1/sar/level-1/grd/standard/iwdp">
  <informationPackageMap>
    <xfdu:contentUnit unitType="SAFE Archive Information Package" textInfo="Sentinel-1 IW Level-1 GRD Product" dmdID="acquisitionPeriod platform generalProductInformation measurementOrbitReference measurementFrameSet" pdiID="processing">
${units.join('\n')}
    </xfdu:contentUnit>
  </informationPackageMap>
  <metadataSection>
${descriptions.join('\n')}
${toMetadataObject('processing', `<safe:processing name="GRD Post Processing" start="${begun}" stop="${done}"><safe:facility name="Swath demo"/></safe:processing>`)}
${toMetadataObject('platform', '<safe:platform><safe:nssdcIdentifier>2014-016A</safe:nssdcIdentifier><safe:familyName>SENTINEL-1</safe:familyName><safe:number>A</safe:number><safe:instrument><safe:familyName abbreviation="SAR">Synthetic Aperture Radar</safe:familyName><safe:extension><s1sarl1:instrumentMode><s1sarl1:mode>IW</s1sarl1:mode><s1sarl1:swath>IW</s1sarl1:swath></s1sarl1:instrumentMode></safe:extension></safe:instrument></safe:platform>')}
${toMetadataObject('measurementOrbitReference', toOrbit(facts, direction))}
${toMetadataObject('generalProductInformation', `<s1sarl1:standAloneProductInformation><s1sarl1:missionDataTakeID>${facts.dataTake}</s1sarl1:missionDataTakeID><s1sarl1:transmitterReceiverPolarisation>VV</s1sarl1:transmitterReceiverPolarisation><s1sarl1:transmitterReceiverPolarisation>VH</s1sarl1:transmitterReceiverPolarisation><s1sarl1:productClass>S</s1sarl1:productClass><s1sarl1:productComposition>Individual</s1sarl1:productComposition><s1sarl1:productType>GRD</s1sarl1:productType><s1sarl1:productTimelinessCategory>Fast-24h</s1sarl1:productTimelinessCategory></s1sarl1:standAloneProductInformation>`)}
${toMetadataObject('acquisitionPeriod', `<safe:acquisitionPeriod><safe:startTime>${toTimeText(facts.startMs)}</safe:startTime><safe:stopTime>${toTimeText(facts.stopMs)}</safe:stopTime></safe:acquisitionPeriod>`)}
${toMetadataObject('measurementFrameSet', `<safe:frameSet><safe:frame><safe:footPrint srsName="http://www.opengis.net/gml/srs/epsg.xml#4326"><gml:coordinates>${ring}</gml:coordinates></safe:footPrint></safe:frame></safe:frameSet>`)}
  </metadataSection>
  <dataObjectSection>
${objects.join('\n')}
  </dataObjectSection>
</xfdu:XFDU>
`;
}

const toMetadataObject = (id: string, content: string): string =>
  `    <metadataObject ID="${id}" classification="${id === 'processing' ? 'PROVENANCE' : 'DESCRIPTION'}" category="${id === 'processing' ? 'PDI' : 'DMD'}">
      <metadataWrap mimeType="text/xml" vocabularyName="SAFE"><xmlData>${content}</xmlData></metadataWrap>
    </metadataObject>`;

function toOrbit(facts: ProductFacts, direction: 'ascending' | 'descending'): string {
  const both = (tag: string, value: number) =>
    `<safe:${tag} type="start">${value}</safe:${tag}><safe:${tag} type="stop">${value}</safe:${tag}>`;
  return `<safe:orbitReference>${both('orbitNumber', facts.absoluteOrbit)}${both('relativeOrbitNumber', facts.relativeOrbit)}<safe:cycleNumber>${facts.cycle}</safe:cycleNumber><safe:phaseIdentifier>1</safe:phaseIdentifier><safe:extension><s1:orbitProperties><s1:pass>${direction.toUpperCase()}</s1:pass><s1:ascendingNodeTime>${toTimeText(facts.ascendingNodeMs)}</s1:ascendingNodeTime></s1:orbitProperties></safe:extension></safe:orbitReference>`;
}
