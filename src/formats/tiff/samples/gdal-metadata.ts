import { readAttribute, unescapeXml } from './xml-text.ts';

/** What a file says about one band in addition to its pixels; physical = stored * scale + offset. */
export interface BandInfo {
  readonly description: string | null;
  readonly scale: number;
  readonly offset: number;
}

/** What a band is when the file says nothing. */
export const PLAIN_BAND: BandInfo = { description: null, scale: 1, offset: 0 };

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
]);

/** Used twice in each direction: GDAL escapes the text of an item once by itself and once more as XML. */
const escapeXml = (text: string): string => text.replace(/[&<>"]/g, (character) => ESCAPES.get(character)!);

/** GDAL_METADATA for the bands that have something to say; null when none has. */
export function toGdalMetadata(bands: readonly BandInfo[]): string | null {
  const items = bands.flatMap((band, sample) => {
    const item = (name: string, role: string, value: string) =>
      `  <Item name="${name}" sample="${sample}" role="${role}">${escapeXml(escapeXml(value))}</Item>\n`;
    return [
      ...(band.description === null ? [] : [item('DESCRIPTION', 'description', band.description)]),
      ...(band.offset === 0 ? [] : [item('OFFSET', 'offset', String(band.offset))]),
      ...(band.scale === 1 ? [] : [item('SCALE', 'scale', String(band.scale))]),
    ];
  });
  return items.length === 0 ? null : `<GDALMetadata>\n${items.join('')}</GDALMetadata>\n`;
}

/**
 * Finds the description, scale and offset of each band in GDAL_METADATA. It walks from `<Item` to `<Item` and knows
 * no entity, include or nesting, so there is nothing in it for a hostile document to expand; other items are passed
 * over.
 */
export function parseGdalMetadata(xml: string, bandCount: number): BandInfo[] {
  const bands = Array.from(
    { length: bandCount },
    () => ({ ...PLAIN_BAND }) as { -readonly [K in keyof BandInfo]: BandInfo[K] },
  );
  // each step goes on behind the last one, so that the time is linear whatever the text
  for (let at = xml.indexOf('<Item '), headEnd = 0; at >= 0; at = xml.indexOf('<Item ', headEnd)) {
    headEnd = xml.indexOf('>', at);
    const end = headEnd < 0 ? -1 : xml.indexOf('<', headEnd);
    if (end < 0) break;
    const head = xml.slice(at, headEnd);
    const sample = readAttribute(head, 'sample');
    const band = sample !== null && /^\d{1,3}$/.test(sample) ? bands[Number(sample)] : undefined;
    if (band === undefined) continue;
    const text = unescapeXml(unescapeXml(xml.slice(headEnd + 1, end)));
    const role = readAttribute(head, 'role');
    if (role === 'description') band.description = text;
    if (role !== 'scale' && role !== 'offset') continue;
    const value = text.trim() === '' ? Number.NaN : Number(text);
    if (Number.isFinite(value)) band[role] = value;
  }
  return bands;
}
