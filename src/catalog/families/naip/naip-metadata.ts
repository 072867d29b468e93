import {
  childrenOf,
  descendantsOf,
  localName,
  MAX_METADATA_BYTES,
  parseXml,
  textAt,
} from '../../../xml/index.ts';

/** What the sidecar metadata of a NAIP image add to its name. */
export interface NaipMetadata {
  /** Two small letters; null when not said. */
  readonly state: string | null;
}

const STATE = /^[A-Z]{2}$/;

/**
 * Reads the metadata of a NAIP image in any of the forms they came in over the years: FGDC as text, FGDC as XML, ISO
 * 19115 as XML. The state is the first place keyword of two letters.
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
