/**
 * Waiting for what a page shows. A page draws after the click that makes it do so: a list that is sorted, for example, has
 * rows without text until the browser has laid out the next frame. So a test waits for what it expects, however long it takes.
 */
import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { whenHolds } from '../../src/testing/wait-for.ts';

/** Waits until the text of an element, as it is drawn, is this or matches this. */
export const whenText = (locator: Locator, expected: string | RegExp): Promise<void> =>
  whenHolds(async () => {
    const text = await locator.innerText();
    if (typeof expected === 'string') assert.equal(text, expected);
    else assert.match(text, expected);
  });

/** Waits until the texts of all elements, as they are drawn, are these. */
export const whenTexts = (locator: Locator, expected: readonly string[]): Promise<void> =>
  whenHolds(async () => assert.deepEqual(await locator.allInnerTexts(), expected));

/** Waits until there are so many elements. */
export const whenCount = (locator: Locator, expected: number): Promise<void> =>
  whenHolds(async () => assert.equal(await locator.count(), expected));

/** Waits until a field holds a value. */
export const whenValue = (locator: Locator, expected: string): Promise<void> =>
  whenHolds(async () => assert.equal(await locator.inputValue(), expected));

/** Waits until an attribute has a value; `null` stands for no such attribute. */
export const whenAttribute = (locator: Locator, name: string, expected: string | null): Promise<void> =>
  whenHolds(async () => assert.equal(await locator.getAttribute(name), expected));

/** Waits until the keyboard is at an element. */
export const whenFocused = (locator: Locator): Promise<void> =>
  whenHolds(async () =>
    assert.ok(await locator.evaluate((element) => element.matches(':focus')), `no focus: ${locator}`),
  );
