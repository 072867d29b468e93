/** Whether the page is dark: as the user chose, or as the system says. */
import type { Preferences } from '../state/preferences.ts';

const darkScheme = (): MediaQueryList => matchMedia('(prefers-color-scheme: dark)');

/** True for a dark page. */
export const isDarkPage = ({ theme }: Preferences): boolean =>
  theme === 'system' ? darkScheme().matches : theme === 'dark';

/** Calls back when the system changes its mind and the page follows it; the answer stops that. */
export const watchDarkPage = (
  preferences: Preferences,
  listener: (isDark: boolean) => void,
): (() => void) => {
  const scheme = darkScheme();
  const tell = (): void => listener(isDarkPage(preferences));
  scheme.addEventListener('change', tell);
  return () => scheme.removeEventListener('change', tell);
};
