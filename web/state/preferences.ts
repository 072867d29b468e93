/** What the user prefers, stored in this browser: language, appearance, units. */
import type { Language } from '../texts/choose-texts.ts';
import { LANGUAGES } from '../texts/choose-texts.ts';

/** Appearances of the page. */
export const THEMES = ['system', 'light', 'dark'] as const;
/** Units of lengths on the map. */
export const UNITS = ['metric', 'imperial'] as const;

/** The choices. */
export interface Preferences {
  /** `null`: as the browser. */
  readonly language: Language | null;
  readonly theme: (typeof THEMES)[number];
  readonly units: (typeof UNITS)[number];
  /** Whether the map says how many tiles came and how fast. */
  readonly hasTimings: boolean;
}

const STORAGE_NAME = 'swath.preferences';
const DEFAULTS: Preferences = { language: null, theme: 'system', units: 'metric', hasTimings: false };

/** Reads what was stored; anything that is not a known choice is the default. */
export const parsePreferences = (text: string | null): Preferences => {
  try {
    const { language, theme, units, hasTimings } = Object(JSON.parse(text ?? 'null')) as Record<
      string,
      unknown
    >;
    return {
      language: LANGUAGES.find(({ code }) => code === language)?.code ?? null,
      theme: THEMES.find((name) => name === theme) ?? DEFAULTS.theme,
      units: UNITS.find((name) => name === units) ?? DEFAULTS.units,
      hasTimings: hasTimings === true,
    };
  } catch {
    // Not JSON: an older version or another program wrote it.
    return DEFAULTS;
  }
};

/** The preferences of this browser; without storage they last as long as the page. */
export const readPreferences = (): Preferences => {
  try {
    return parsePreferences(localStorage.getItem(STORAGE_NAME));
  } catch {
    return DEFAULTS;
  }
};

/** Stores them. */
export const storePreferences = (preferences: Preferences): void => {
  try {
    localStorage.setItem(STORAGE_NAME, JSON.stringify(preferences));
  } catch {
    // Storage can be switched off in the browser: the choice then lasts until the page is left.
  }
};
