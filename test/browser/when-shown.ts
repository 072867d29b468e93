/**
 * Waiting for what a page shows. A page draws after the click that makes it do so: a list that is sorted, for example, has
 * rows without text until the browser has laid out the next frame. So a test waits for what it expects, however long it takes.
 */
import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { whenHolds } from '../../src/testing/wait-for.ts';

/** Waits until the text of an element, as it is drawn, is this or matches this. */
export const whenText = (locator: Locator, expected: string | RegExp, message?: string): Promise<void> =>
  whenHolds(async () => {
    const text = await locator.innerText();
    if (typeof expected === 'string') assert.equal(text, expected, message);
    else assert.match(text, expected, message);
  });

/** Waits until the texts of all elements, as they are drawn, are these. */
export const whenTexts = (locator: Locator, expected: readonly string[], message?: string): Promise<void> =>
  whenHolds(async () => assert.deepEqual(await locator.allInnerTexts(), expected, message));

/** Waits until the texts of all elements are these, what only screen readers read included. */
export const whenContents = (
  locator: Locator,
  expected: readonly string[],
  message?: string,
): Promise<void> =>
  whenHolds(async () => assert.deepEqual(await locator.allTextContents(), expected, message));

/** Waits until there are so many elements. */
export const whenCount = (locator: Locator, expected: number, message?: string): Promise<void> =>
  whenHolds(async () => assert.equal(await locator.count(), expected, message));

/** Waits until a field holds a value. */
export const whenValue = (locator: Locator, expected: string, message?: string): Promise<void> =>
  whenHolds(async () => assert.equal(await locator.inputValue(), expected, message));

/** Waits until an attribute has a value; `null` stands for no such attribute. */
export const whenAttribute = (
  locator: Locator,
  name: string,
  expected: string | null,
  message?: string,
): Promise<void> => whenHolds(async () => assert.equal(await locator.getAttribute(name), expected, message));

/** Waits until an element is so as a selector of CSS says, such as `:checked`, `:disabled` or `:focus`. */
export const whenIs = (locator: Locator, selector: string, message?: string): Promise<void> =>
  whenHolds(async () =>
    assert.ok(
      await locator.evaluate((element, wanted) => element.matches(wanted), selector),
      message ?? `${locator} is not ${selector}`,
    ),
  );
