/** Documents: every file and every heading that a link names exists, and every decision has a summary. */
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { test } from 'node:test';

const documents = globSync(['*.md', 'docs/**/*.md', 'clients/*/*.md']);

/** The text without blocks of code, in which brackets are code. */
const withoutCode = (text: string): string => text.replaceAll(/^```.*?^```/gms, '');

/** The anchor that GitHub gives a heading. */
const toAnchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\- _]/gu, '')
    .replaceAll(' ', '-');

const readAnchors = (file: string): readonly string[] =>
  [...withoutCode(readFileSync(file, 'utf8')).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    toAnchor(heading),
  );

/** A link with its target; null if the target exists. */
function findFault(document: string, link: string): string | null {
  const [path = '', anchor] = link.split('#');
  const file = path === '' ? document : normalize(join(dirname(document), path));
  if (!existsSync(file)) return `${document}: ${file} does not exist`;
  if (anchor === undefined || readAnchors(file).includes(anchor)) return null;
  return `${document}: ${file} has no heading #${anchor}`;
}

test('links between documents lead to files and headings that exist', () => {
  const links = documents.flatMap((document) =>
    [...withoutCode(readFileSync(document, 'utf8')).matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, link = '']) => link)
      .filter((link) => !/^[a-z]+:/.test(link))
      .map((link) => ({ document, link })),
  );
  assert.ok(links.length > 150, `${links.length} links`);
  assert.deepEqual(
    links.map(({ document, link }) => findFault(document, link)).filter((fault) => fault !== null),
    [],
  );
});

test('the index of each folder of docs/ links to each of its pages', () => {
  for (const folder of ['use', 'operate', 'develop']) {
    const index = readFileSync(`docs/${folder}/README.md`, 'utf8');
    const missing = globSync(`docs/${folder}/*.md`)
      .map((file) => file.split('/').at(-1) ?? '')
      .filter((name) => name !== 'README.md' && !index.includes(`](${name})`));
    assert.deepEqual(missing, [], folder);
  }
});

test('every decision begins with a summary of one line', () => {
  const notes = globSync('docs/decisions/*.md');
  assert.ok(notes.length > 30);
  const missing = notes.filter(
    (file) => !/^# .+\n\n(?!#|Date).{20,250}\n\n/.test(readFileSync(file, 'utf8')),
  );
  assert.deepEqual(missing, []);
});
