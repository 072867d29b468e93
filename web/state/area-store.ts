/** The area of this tab where it is too long for the address, so that a reload still finds it. */
import { parseOutline } from '../scenes/footprint.ts';
import { asRecord, asText } from '../scenes/read-json.ts';
import { toTidyOutline } from '../shapes/shape.ts';
import type { Area } from './drawing.ts';

const STORAGE_NAME = 'swath.area';

/** Reads and replaces it. */
export interface AreaStore {
  /** `null` when there is none, or none that can be read. */
  readArea(): Area | null;
  /** False when the browser has no room for it, or no storage at all. */
  storeArea(area: Area): boolean;
}

/** The part of a storage that is used. */
interface TextStorage {
  getItem(name: string): string | null;
  setItem(name: string, text: string): void;
}

/** Reads what was stored; anyone who can run code on the page can write it, so it is checked like an address. */
export const parseStoredArea = (text: string | null): Area | null => {
  try {
    const { outline, name } = asRecord(JSON.parse(text ?? 'null'));
    const parsed = parseOutline(outline);
    const tidy = parsed === null ? null : toTidyOutline(parsed);
    return tidy === null ? null : { outline: tidy, name: asText(name) };
  } catch {
    // Not JSON: another version or another program wrote it.
    return null;
  }
};

/** Builds it over a storage, which may refuse to be there at all. */
export const makeAreaStore = (ofTab: () => TextStorage): AreaStore => ({
  readArea() {
    try {
      return parseStoredArea(ofTab().getItem(STORAGE_NAME));
    } catch {
      return null;
    }
  },
  storeArea(area) {
    try {
      ofTab().setItem(STORAGE_NAME, JSON.stringify(area));
      return true;
    } catch {
      return false;
    }
  },
});
