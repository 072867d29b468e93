import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyHunk, readGuideSteps } from './guide-steps.ts';

const guide = `# A guide

\`src/a.ts\`, a new file:

\`\`\`ts
one
\`\`\`

\`src/b.ts\`, two lines:

\`\`\`diff
+two
\`\`\`

\`\`\`diff
-three
\`\`\`

Some code of no file:

\`\`\`ts
four
\`\`\`
`;

test('blocks belong to the file that is named before them', () => {
  assert.deepEqual(readGuideSteps(guide), [
    { path: 'src/a.ts', kind: 'create', text: 'one\n' },
    { path: 'src/b.ts', kind: 'change', text: '+two\n' },
    { path: 'src/b.ts', kind: 'change', text: '-three\n' },
  ]);
});

test('a hunk is applied where all of its other lines stand, and nowhere else', () => {
  assert.equal(applyHunk('a\nb\nc\n', ' a\n+x\n b\n', 'file'), 'a\nx\nb\nc\n');
  assert.equal(applyHunk('a\nb\nc\n', '-b\n+x\n', 'file'), 'a\nx\nc\n');
  assert.throws(() => applyHunk('a\nb\n', ' b\n+x\n c\n', 'file'), /must contain this once/);
  assert.throws(() => applyHunk('a\na\n', ' a\n+x\n', 'file'), /must contain this once/);
});
