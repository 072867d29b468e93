export { cutElements, type ElementCutter, makeElementCutter } from './cut-elements.ts';
export {
  childrenOf,
  descendantsOf,
  elementAt,
  localName,
  textAt,
  type XmlElement,
} from './elements.ts';
export {
  checkXml,
  escapeXml,
  MAX_METADATA_BYTES,
  notWellFormed,
  parseChecked,
  parseXml,
  tryParseXml,
  unescapeXml,
  xmlText,
} from './parse-xml.ts';
