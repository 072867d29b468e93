/**
 * To be imported before uPlot, which formats numbers in the browser's language as soon as it is loaded. Chromium under
 * `LANG=C` calls its language `en-US@posix`, which is not a valid language tag, and the whole script would fail.
 */
try {
  new Intl.NumberFormat(navigator.language);
} catch {
  Object.defineProperty(navigator, 'language', { value: 'en', configurable: true });
}

export {};
