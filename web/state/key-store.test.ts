import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeKeyStore } from './key-store.ts';

const makeStorage = () => {
  const texts = new Map<string, string>();
  return {
    texts,
    getItem: (name: string) => texts.get(name) ?? null,
    setItem: (name: string, text: string) => void texts.set(name, text),
    removeItem: (name: string) => void texts.delete(name),
  };
};

const makeBench = () => {
  const [tab, browser] = [makeStorage(), makeStorage()];
  const hrefs: string[] = [];
  const open = (href: string) =>
    makeKeyStore({
      href,
      setHref: (next) => void hrefs.push(next),
      ofTab: () => tab,
      ofBrowser: () => browser,
    });
  return { tab, browser, hrefs, open };
};

test('the key is removed from the address and stored for the tab', () => {
  const { tab, browser, hrefs, open } = makeBench();
  assert.equal(open('http://here/?api_key=secret&x=1#map=1/2/3').readKey(), 'secret');
  assert.deepEqual(hrefs, ['http://here/?x=1#map=1/2/3']);
  assert.deepEqual([tab.texts.size, browser.texts.size], [1, 0]);
  assert.equal(open('http://here/').readKey(), 'secret', 'a reload finds it');
});

test('a lasting key is stored for the browser, in one storage only, and forgetting removes it', () => {
  const { tab, browser, open } = makeBench();
  const keys = open('http://here/?api_key=first');
  keys.setKey('second', true);
  assert.deepEqual([tab.texts.size, browser.texts.size], [0, 1]);
  assert.equal(open('http://here/').readKey(), 'second');
  keys.forgetKey();
  assert.equal(keys.readKey(), null);
  assert.deepEqual([tab.texts.size, browser.texts.size], [0, 0]);
});

test('without storage the key lasts as long as the page', () => {
  const refuse = () => {
    throw new Error('switched off');
  };
  const keys = makeKeyStore({ href: 'http://here/', setHref: refuse, ofTab: refuse, ofBrowser: refuse });
  assert.equal(keys.readKey(), null);
  keys.setKey('one', true);
  assert.equal(keys.readKey(), 'one');
});
