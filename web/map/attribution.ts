/** Attributions are put into the page as HTML; those of catalogs and elevation models are text. */
export const toAttributionHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
