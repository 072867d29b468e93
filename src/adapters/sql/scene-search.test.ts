import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { planPage } from './scenes.ts';

test('property: the planned start of a page equals that of a scan over all hits', () => {
  const anyCounts = fc.array(fc.record({ day: fc.constantFrom('a', 'b', 'c', 'd'), n: fc.nat(5) }));
  fc.assert(
    fc.property(anyCounts, fc.nat(40), fc.boolean(), (counts, offset, descending) => {
      const hits = counts.flatMap(({ day, n }) => Array<string>(n).fill(day)).sort();
      if (descending) hits.reverse();
      const { found, firstDay, skip } = planPage(counts, { offset, descending });
      assert.equal(found, hits.length);
      assert.equal(firstDay, hits[offset] ?? null);
      assert.equal(skip, firstDay === null ? 0 : offset - hits.indexOf(firstDay));
    }),
  );
});
