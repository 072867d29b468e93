import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';

interface GuideExample {
  /** Files of the example, as glob patterns. */
  readonly example: readonly string[];
  readonly minBlocks: number;
  /** Turns a text of the example into what the guide shows: imports of other folders, for one. */
  readonly toShown?: (text: string) => string;
}

/** Checks that every block of code in a guide is part of the example that a test runs, so that the guide stays true. */
export function assertGuideCode(
  guide: string,
  { example, minBlocks, toShown = (text) => text }: GuideExample,
): void {
  const blocks = [...readFileSync(guide, 'utf8').matchAll(/```ts\n(.*?)```/gs)].map(([, code = '']) =>
    code.trim(),
  );
  assert.ok(blocks.length >= minBlocks, `${guide} has ${blocks.length} blocks of code`);
  const files = globSync(example).map((file) => toShown(readFileSync(file, 'utf8')));
  for (const block of blocks) {
    assert.ok(
      files.some((text) => text.includes(block)),
      `no file of ${example.join(', ')} contains:\n${block}`,
    );
  }
}
