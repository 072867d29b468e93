/** The attacks that take seconds, as tests; `npm run attacks` runs all of them. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { families } from './families/index.ts';
import type { Stage } from './stage.ts';
import { openStage } from './stage.ts';

let stage: Stage;
before(async () => {
  stage = await openStage({ isTimed: false });
});
after(() => stage[Symbol.asyncDispose]());

const attacks = families.flatMap((family) => family.attacks);

for (const attack of attacks.filter(({ isQuick }) => isQuick)) {
  test(attack.name, async (t) => {
    const { verdict, saw } = await stage.run(attack);
    if (verdict === 'skipped') return t.skip(saw);
    assert.equal(verdict, 'ok', saw);
  });
}

test('docs/operate/hardening.md has a row for every attack, with its severity, and for no other', () => {
  const text = readFileSync(new URL('../../docs/operate/hardening.md', import.meta.url), 'utf8');
  const rows = [...text.matchAll(/^\| (.+?) \| (high|medium|low) \|/gm)].map(
    ([, name, severity]) => `${name}: ${severity}`,
  );
  assert.deepEqual(
    rows,
    attacks.map(({ name, severity }) => `${name}: ${severity}`),
  );
});

test('the names of attacks are different', () => {
  const names = attacks.map(({ name }) => name);
  assert.equal(new Set(names).size, names.length);
});
