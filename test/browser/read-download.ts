/** Files that a page gives its user. */
import { text } from 'node:stream/consumers';
import type { Locator, Page } from 'playwright-core';

/** Presses a button and reads the file that comes, with its name. */
export const readDownload = async (
  page: Page,
  button: Locator,
): Promise<{ name: string; content: string }> => {
  const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
  // As a stream: the browser runs in another process, which has the file.
  return { name: download.suggestedFilename(), content: await text(await download.createReadStream()) };
};
