/** What people with screen readers would stumble over, as axe sees it. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';

const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** Serious findings of axe, as `rule: element`; the page must be opened with `bypassCSP`. */
export const findFaults = async (page: Page): Promise<unknown> => {
  await page.evaluate(AXE);
  // Only these are listed in full: describing every element that passes takes half of the time.
  return page.evaluate(`axe.run({ resultTypes: ['violations'] }).then(({ violations }) =>
    violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html.slice(0, 120))))`);
};
