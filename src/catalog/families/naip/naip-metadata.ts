import {
  childrenOf,
  descendantsOf,
  localName,
  MAX_METADATA_BYTES,
  parseXml,
  textAt,
} from '../../../xml/index.ts';

/** The metadata file of a NAIP image. */
export interface NaipMetadata {
  /** Two lower-case letters; null if unknown. */
  readonly state: string | null;
}

const STATE = /^[A-Z]{2}$/;

/**
 * Parses the metadata of a NAIP image in any format of its history: FGDC as text, FGDC as XML, ISO 19115 as XML. The
 * state is the first place keyword of two letters.
 */
export function parseNaipMetadata(text: string, what: string): NaipMetadata {
  const keywords = text.trimStart().startsWith('<')
    ? findPlacesInXml(text, what)
    : text.length > MAX_METADATA_BYTES
      ? []
      : [...text.matchAll(/^[ \t]*Place_Keyword:[ \t]*(\S[^\r\n]*)$/gm)].map(([, keyword = '']) =>
          keyword.trim(),
        );
  return { state: keywords.find((keyword) => STATE.test(keyword))?.toLowerCase() ?? null };
}

function findPlacesInXml(text: string, what: string): string[] {
  const root = parseXml(text, what);
  if (localName(root) === 'metadata')
    return descendantsOf(root, 'placekey').map(({ text: keyword }) => keyword.trim());
  return descendantsOf(root, 'MD_Keywords')
    .filter((list) => textAt(list, 'type/MD_KeywordTypeCode') === 'place')
    .flatMap((list) => childrenOf(list, 'keyword').map((keyword) => keyword.text.trim()));
}
