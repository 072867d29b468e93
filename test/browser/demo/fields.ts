/** The fields of the demo world: imported by one click, measured by the service, and one of them with its curve. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { whenHolds } from '../../../src/testing/wait-for.ts';
import { describeDemo } from '../describe-demo.ts';
import { findFaults } from '../find-faults.ts';

describeDemo('fields of the demo world', (bench) => {
  test('example fields are imported, measured and listed, and one shows its curve', async () => {
    await using watched = await bench.open('#panel=fields', { bypassCSP: true });
    const { page, problems } = watched;
    await page.getByRole('button', { name: 'Import example fields' }).click();
    await page.getByText('130 shapes: 130 new, 0 changed, 0 as before, 0 refused.').waitFor();
    await page.getByRole('button', { name: 'Show the fields' }).click();
    await page.getByLabel('Sort by').selectOption('Value');
    await page.getByRole('button', { name: 'Smallest first' }).click();
    const first = page.getByRole('list', { name: 'Fields' }).getByRole('listitem').first();
    await first.locator('.sparkline').waitFor();
    await whenHolds(async () => {
      const value = Number(
        await first.locator('.field-value').evaluate((cell) => cell.firstChild?.textContent),
      );
      assert.ok(value > 0.3 && value <= 1, `the greenest field has an NDVI of ${value}`);
    });
    assert.deepEqual(await findFaults(page), []);
    await first.getByRole('button').click();
    await page.locator('.pane .uplot').first().waitFor();
    assert.deepEqual(problems, []);
  });
});
