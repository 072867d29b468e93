import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** What a guide tells its reader to do with a file. */
interface GuideStep {
  readonly path: string;
  readonly kind: 'create' | 'change';
  /** The whole file, or a hunk of a diff without line numbers. */
  readonly text: string;
}

/** A line that names the file of the blocks below it: "`src/sensors/kestrel.ts`, a new file:". */
const FILE_LINE = /^`([\w./-]+)`.*:$/;

/** The steps of a guide: blocks of code and of diffs below lines that name a file. */
export function readGuideSteps(guide: string): readonly GuideStep[] {
  const steps: GuideStep[] = [];
  let path: string | null = null;
  // Fences alternate: every second part is the inside of a block.
  for (const [i, part] of guide.split(/^```/m).entries()) {
    if (i % 2 === 0) {
      const last = part.trim().split('\n').at(-1) ?? '';
      // Nothing between two blocks: the second one is of the same file.
      if (last !== '') path = FILE_LINE.exec(last)?.[1] ?? null;
      continue;
    }
    const [language, ...lines] = part.split('\n');
    const text = lines.join('\n');
    if (path === null) continue;
    if (language === 'ts') steps.push({ path, kind: 'create', text });
    if (language === 'diff') steps.push({ path, kind: 'change', text });
  }
  return steps;
}

/** Does what the steps of a guide say in a copy of the project. */
export function followGuide(steps: readonly GuideStep[], root: string): void {
  for (const { path, kind, text } of steps) {
    const file = join(root, path);
    if (kind === 'create') {
      assert.ok(!existsSync(file), `${path} exists already`);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    } else {
      writeFileSync(file, applyHunk(readFileSync(file, 'utf8'), text, path));
    }
  }
}

/** The text with the lines of a hunk added and removed; its other lines must be there, in one place only. */
export function applyHunk(text: string, hunk: string, path: string): string {
  const lines = hunk.split('\n').filter((line) => line !== '');
  const without = (sign: string) =>
    lines
      .filter((line) => !line.startsWith(sign))
      .map((line) => `${line.slice(1)}\n`)
      .join('');
  const [before, after] = [without('+'), without('-')];
  assert.equal(text.split(before).length - 1, 1, `${path} must contain this once:\n${before}`);
  return text.replace(before, () => after);
}
