/** Writes the fields of every dataset into docs/search.md, from the sensors. A test checks that it has been run. */
import { readFileSync, writeFileSync } from 'node:fs';
import { toSearchText } from '../test/support/search-fields.ts';

const GUIDE = new URL('../docs/search.md', import.meta.url);
writeFileSync(GUIDE, toSearchText(readFileSync(GUIDE, 'utf8')));
