/** A person signs in at a provider, makes a key, and signs out: the real service, a real browser, real tokens. */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { test } from 'node:test';
import { makeFakeProvider } from '../../src/sign-in/testing/fake-provider.ts';
import { whenHolds } from '../../src/testing/wait-for.ts';
import { makeDemoData } from '../support/demo-data.ts';
import { ONE_THREAD, startSwath, waitUntilReady } from '../support/start-swath.ts';
import { findFaults } from './find-faults.ts';
import { openBrowser, whyNoBrowser } from './open-browser.ts';
import { openPage } from './watched-page.ts';
import { whenText } from './when-shown.ts';

test('a person signs in, sees scenes, creates and revokes a key with the keyboard, and signs out', {
  skip: whyNoBrowser(),
}, async () => {
  const fake = makeFakeProvider();
  const provider = await fake.listen();
  const swath = await startSwath({
    dataDir: await makeDemoData(),
    env: {
      ...ONE_THREAD,
      SWATH_OIDC_ISSUER: provider.issuer,
      SWATH_OIDC_CLIENT_ID: 'swath',
      SWATH_OIDC_ADMIN: 'first',
    },
  });
  const statusOf = async (key: string): Promise<number> =>
    (await fetch(`${swath.url}/api/account`, { headers: { 'x-api-key': key } })).status;
  try {
    await waitUntilReady(swath.url);
    const { browser, close } = await openBrowser();
    try {
      await using opened = await openPage(browser, { bypassCSP: true });
      const { page } = opened;
      await page.goto(`${swath.url}/?sign_in=provider-failed`);
      const signIn = page.getByRole('link', { name: 'Sign in' });
      await signIn.waitFor();
      await whenText(page.getByRole('alert').first(), /did not work/);
      assert.deepEqual(await findFaults(page), []);
      await signIn.focus();
      await page.keyboard.press('Enter');
      await page.locator('.scenes li').first().waitFor();
      assert.equal(new URL(page.url()).origin, swath.url);

      await page.keyboard.press(',');
      await page.getByText('Signed in as One.').waitFor();
      await page.getByRole('heading', { name: 'People' }).waitFor();
      await page.getByRole('table').waitFor();
      assert.deepEqual(await findFaults(page), []);
      await page.getByLabel('Name').focus();
      await page.keyboard.type('field app');
      await page.keyboard.press('Enter');
      const secret = await whenHolds(async () => {
        const value = await page.getByLabel('Your new key, shown only now').inputValue();
        assert.match(value, /\S/);
        return value;
      });
      assert.equal(await statusOf(secret), 200);
      const revoke = page.getByRole('button', { name: 'Revoke field app' });
      await revoke.focus();
      await page.keyboard.press('Enter');
      await revoke.waitFor({ state: 'detached' });
      assert.equal(await statusOf(secret), 403);

      await page.getByRole('button', { name: 'Sign out' }).click();
      await signIn.waitFor();
      await whenHolds(async () =>
        assert.deepEqual(
          (await page.context().cookies()).filter(({ name }) => name === 'swath-session'),
          [],
        ),
      );
    } finally {
      await close();
    }
  } finally {
    provider.close();
    await swath.stop();
    rmSync(swath.dataDir, { recursive: true, force: true });
  }
});
