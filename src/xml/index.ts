export {
  childrenOf,
  cutElements,
  descendantsOf,
  elementAt,
  localName,
  textAt,
  type XmlElement,
} from './elements.ts';
export { escapeXml, unescapeXml } from './escape-text.ts';
export {
  checkXml,
  MAX_METADATA_BYTES,
  notWellFormed,
  parseChecked,
  parseXml,
  tryParseXml,
} from './parse-xml.ts';
