/** Errors as WMS writes them: a ServiceExceptionReport of the version that was asked for. */

import { xmlText } from '../../xml/index.ts';
import type { WriteError } from '../kit/endpoint.ts';
import { toKvpStatus } from './ows-exceptions.ts';
import type { WmsVersion } from './wms-crs.ts';

/** Codes of WMS by ours. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'unknown-layer': 'LayerNotDefined',
  'unknown-style': 'StyleNotDefined',
  'bad-format': 'InvalidFormat',
  'bad-time': 'InvalidDimensionValue',
  'outside-picture': 'InvalidPoint',
  'missing-parameter': 'MissingParameterValue',
  'unknown-request': 'OperationNotSupported',
  'no-post': 'OperationNotSupported',
  'no-sld': 'OperationNotSupported',
};

/** Codes about reference systems, which the versions call by different names. */
const ABOUT_CRS: ReadonlySet<string> = new Set(['bad-crs', 'unknown-crs', 'no-layer-crs']);

/** The version of a raw query, before anything of it was checked. */
const versionOf = (query: string): WmsVersion =>
  /(?:^|&)(?:version|wmtver)=1\.[01]/i.test(query) ? '1.1.1' : '1.3.0';

/** Writes an error with the code and the sentence of the first door. */
export const writeWmsException: WriteError = ({ status, code, sentence }, query) => {
  const version = versionOf(query);
  const isOld = version === '1.1.1';
  const name = ABOUT_CRS.has(code) ? (isOld ? 'InvalidSRS' : 'InvalidCRS') : EXCEPTIONS[code];
  const attribute = name === undefined ? '' : ` code="${name}"`;
  const namespace = isOld ? '' : ' xmlns="http://www.opengis.net/ogc"';
  return {
    status: toKvpStatus(status),
    type: isOld ? 'application/vnd.ogc.se_xml' : 'text/xml; charset=utf-8',
    body: `<?xml version="1.0" encoding="UTF-8"?>
<ServiceExceptionReport version="${version}"${namespace}>
  <ServiceException${attribute}>${xmlText(`${code}: ${sentence}`)}</ServiceException>
</ServiceExceptionReport>
`,
  };
};
