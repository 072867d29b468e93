/** The attacks that take seconds, as tests; `npm run attacks` runs all of them. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { families } from './families/index.ts';
import type { Stage } from './stage.ts';
import { openStage } from './stage.ts';

/** What the server does not do yet, each with the reason; a name goes away with the change that mends it. */
const NOT_YET: Readonly<Record<string, string>> = {
  'other forms of a path': 'other forms are 404, or drawn',
  'odd requests': 'a missing Host and an unknown Expect get bare answers of Node',
  'keys in odd places': 'a key in the path or in x-request-id is logged',
  'the key in any log': 'a key in the path or in x-request-id is logged',
};

let stage: Stage;
before(async () => {
  stage = await openStage();
});
after(() => stage[Symbol.asyncDispose]());

const attacks = families.flatMap((family) => family.attacks);

for (const attack of attacks.filter(({ isQuick }) => isQuick)) {
  const todo = NOT_YET[attack.name];
  test(attack.name, todo === undefined ? {} : { todo }, async (t) => {
    const { verdict, saw } = await stage.run(attack);
    if (verdict === 'skipped') return t.skip(saw);
    assert.equal(verdict, 'ok', saw);
  });
}

test('docs/hardening.md has a row for every attack, with its severity, and for no other', () => {
  const text = readFileSync(new URL('../../docs/hardening.md', import.meta.url), 'utf8');
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
