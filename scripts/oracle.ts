/**
 * Asks independent programs (GDAL) whether our numbers are right: runs every check of `test/oracle`.
 * They need Debian's gdal-bin and python3-gdal (and its swift packages for S3, and PostgreSQL with PostGIS for live
 * catalogs), and say so when those are missing. Python packages of live catalogs, of stacks (SciPy) and of tables (GeoPandas,
 * PyArrow) are installed below node_modules/.cache.
 * Firefox and Xvfb judge the viewer.
 * `npm test` does not need them: it compares with golden files that these checks have approved.
 * `npm run oracle warp tiff` asks only the named judges.
 */
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';

const words = process.argv.slice(2);
const checks = globSync('test/oracle/**/check-*.ts')
  .filter((check) => words.length === 0 || words.some((word) => check.includes(word)))
  .sort();
const failed = checks.filter((check) => {
  console.log(`\n== ${check}`);
  return spawnSync(process.execPath, [check], { stdio: 'inherit' }).status !== 0;
});
console.log(failed.length === 0 ? `\n${checks.length} checks agree.` : `\nDisagree: ${failed.join(', ')}`);
process.exit(failed.length === 0 && checks.length > 0 ? 0 : 1);
