/** Waiting for something on a page. */
import type { Page } from 'playwright-core';
import { waitFor } from '../../src/testing/wait-for.ts';

/** Waits until an expression of the page is true. Playwright's own waiting evaluates texts in the page, whose content policy forbids it. */
export const whenTrue = (page: Page, expression: string): Promise<void> =>
  waitFor(async () => (await page.evaluate(`Boolean(${expression})`)) === true);
