import { spawnSync } from 'node:child_process';

/** A Python that has GDAL: the first on the path, or the system's own. */
export function findPython(): string {
  const found = ['python3', '/usr/bin/python3'].find(
    (python) => spawnSync(python, ['-c', 'from osgeo import gdal; import numpy']).status === 0,
  );
  if (found !== undefined) return found;
  console.error(
    'No Python with GDAL and NumPy was found; on Debian: apt install python3-gdal python3-numpy.',
  );
  process.exit(2);
}
