import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';

/** Checks that every block of code in a guide is part of the example that a test runs, so that the guide stays true. */
export function assertGuideCode(guide: string, example: string, minBlocks: number): void {
  const blocks = [...readFileSync(guide, 'utf8').matchAll(/```ts\n(.*?)```/gs)].map(([, code = '']) =>
    code.trim(),
  );
  assert.ok(blocks.length >= minBlocks, `${guide} has ${blocks.length} blocks of code`);
  const files = globSync(`${example}/*.ts`).map((file) => readFileSync(file, 'utf8'));
  for (const block of blocks) {
    assert.ok(
      files.some((text) => text.includes(block)),
      `no file of ${example} contains:\n${block}`,
    );
  }
}
