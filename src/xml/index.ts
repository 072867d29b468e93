export { type CutDocument, cutElements } from './cut-elements.ts';
export { escapeXml, unescapeXml } from './escape-text.ts';
export { childrenOf, descendantsOf, elementAt, localName, textAt, type XmlElement } from './find-elements.ts';
export {
  checkXml,
  MAX_METADATA_BYTES,
  notWellFormed,
  parseChecked,
  parseXml,
  tryParseXml,
} from './parse-xml.ts';
