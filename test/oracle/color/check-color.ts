/**
 * Compares every colormap with matplotlib's, also reversed and with fewer colours: `npm run oracle color`. One level of
 * difference is allowed, where a table is described by a curve.
 */
import { askMatplotlib } from './ask-matplotlib.ts';
import { compareTables } from './colormap-tables.ts';

const answer = askMatplotlib([2, 3, 4, 5, 7, 10, 16, 33, 100, 128, 255, 256]);
const { problems, offByOne } = compareTables(answer);
for (const problem of problems.slice(0, 50)) console.error(problem);
const channels = answer.tables.reduce((sum, { colors }) => sum + colors.length / 2, 0);
console.log(
  `matplotlib ${answer.version}: ${answer.tables.length} tables, ${channels} channels compared, ` +
    `${offByOne} off by one level, ${problems.length} problems`,
);
process.exitCode = problems.length === 0 && answer.tables.length > 0 ? 0 : 1;
