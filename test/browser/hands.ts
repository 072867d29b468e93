/** How a job is done: with the mouse or with the keyboard alone. Both count what a person would click. */
import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';

/** A pair of hands. */
export interface Hands {
  readonly page: Page;
  /** Clicks so far: a list is opened and chosen from, a field is clicked before it is typed into. */
  count(): number;
  /** A button, a link or a card. */
  press(target: Locator): Promise<void>;
  /** One of several radio buttons. */
  pick(target: Locator): Promise<void>;
  /** An entry of a list. */
  choose(list: Locator, entry: string): Promise<void>;
  /** A place that the search offers for a text, which may be empty. */
  findPlace(text: string, name: RegExp): Promise<void>;
}

interface Movements {
  press(target: Locator): Promise<void>;
  pick(target: Locator): Promise<void>;
  choosePlace(box: Locator, option: Locator, text: string): Promise<void>;
}

const makeHands = (page: Page, { press, pick, choosePlace }: Movements): Hands => {
  let clicks = 0;
  const whenEnabled = async (target: Locator): Promise<void> =>
    target.and(page.locator(':enabled, a')).first().waitFor();
  return {
    page,
    count: () => clicks,
    async press(target) {
      clicks++;
      await whenEnabled(target);
      await press(target);
    },
    async pick(target) {
      clicks++;
      await whenEnabled(target);
      await pick(target);
    },
    async choose(list, entry) {
      clicks += 2;
      await list.selectOption(entry);
    },
    async findPlace(text, name) {
      clicks += 2;
      await choosePlace(
        page.getByRole('combobox', { name: 'Find a place' }),
        page.getByRole('option', { name }).first(),
        text,
      );
    },
  };
};

/** With the mouse. */
export const makeMouse = (page: Page): Hands =>
  makeHands(page, {
    press: (target) => target.click(),
    pick: (target) => target.check(),
    async choosePlace(box, option, text) {
      await box.click();
      await box.pressSequentially(text);
      await option.click();
    },
  });

/** With the keyboard alone. A key reaches what has the focus, and Tab brings it to all that is not taken out of its order. */
export const makeKeyboard = (page: Page): Hands => {
  const focus = async (target: Locator): Promise<void> => {
    assert.notEqual(await target.getAttribute('tabindex'), '-1', `no key reaches ${target}`);
    await target.focus();
  };
  return makeHands(page, {
    async press(target) {
      await focus(target);
      await page.keyboard.press('Enter');
    },
    async pick(target) {
      await focus(target);
      await page.keyboard.press('Space');
    },
    async choosePlace(box, option, text) {
      await page.keyboard.press('/');
      await box.and(page.locator(':focus')).waitFor();
      await page.keyboard.type(text);
      await option.waitFor();
      for (let i = 0; (await option.getAttribute('aria-selected')) !== 'true'; i++) {
        assert.ok(i < 20, 'the arrow keys do not reach the place');
        await page.keyboard.press('ArrowDown');
      }
      await page.keyboard.press('Enter');
    },
  });
};
