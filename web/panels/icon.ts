/** Icons of the one family in `web/icons.svg`. */

const SVG = 'http://www.w3.org/2000/svg';

/** An icon that says nothing to screen readers: the words next to it do. */
export const makeIcon = (name: string): SVGElement => {
  const icon = document.createElementNS(SVG, 'svg');
  icon.setAttribute('class', 'icon');
  icon.setAttribute('aria-hidden', 'true');
  const use = document.createElementNS(SVG, 'use');
  use.setAttribute('href', `${ICONS_URL}#${name}`);
  icon.append(use);
  return icon;
};
