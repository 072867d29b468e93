/** Unpacks the Chromium that the npm package `@sparticuz/chromium` carries, once per checkout. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import chromium, { inflate } from '@sparticuz/chromium';

// It unpacks a package, and starts what is in it.
// Reads: nothing more

/** A browser that can be started, and the environment it needs. */
export interface Chromium {
  readonly executablePath: string;
  readonly env: Readonly<Record<string, string>>;
}

const packageFolder = dirname(dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')));

/** The package's own list names folders of a cloud function; this one is relative to the file itself. */
const FONTS_CONF = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir prefix="relative">fonts/fonts</dir><cachedir prefix="xdg">fontconfig</cachedir></fontconfig>
`;

const unpackInto = async (folder: string): Promise<void> => {
  await mkdir(folder, { recursive: true });
  // The package unpacks to the system's folder for temporary files and takes whatever lies there already, half-written
  // or not its own. This process exists to run the browser, so its idea of that folder may be changed for a moment.
  const systemFolder = process.env.TMPDIR;
  process.env.TMPDIR = folder;
  try {
    await chromium.executablePath();
    await inflate(join(packageFolder, 'bin', 'al2023.tar.br'));
  } finally {
    if (systemFolder === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = systemFolder;
  }
  await writeFile(join(folder, 'fonts.conf'), FONTS_CONF);
};

/** Answers true when the loader misses a shared library: the same question `ldd` asks, without needing `ldd`. */
const isMissingLibraries = (executablePath: string): boolean => {
  const { stdout } = spawnSync(executablePath, {
    env: { LD_TRACE_LOADED_OBJECTS: '1' },
    encoding: 'utf8',
  });
  return stdout.includes('not found');
};

/** The unpacked browser; processes that unpack at the same time end up with one and the same copy. */
export const readChromium = async (): Promise<Chromium> => {
  const { version } = JSON.parse(await readFile(join(packageFolder, 'package.json'), 'utf8')) as {
    version: string;
  };
  // Next to the package rather than in /tmp, where another user of the machine could leave a program for us to start.
  const folder = join(dirname(dirname(packageFolder)), '.cache', `swath-chromium-${version}`);
  if (!existsSync(folder)) {
    const staging = `${folder}.${process.pid}`;
    try {
      await unpackInto(staging);
      await rename(staging, folder);
    } catch (error) {
      await rm(staging, { recursive: true, force: true });
      if (!existsSync(folder)) throw error;
    }
  }
  const executablePath = join(folder, 'chromium');
  const libraries = join(folder, 'al2023', 'lib');
  return {
    executablePath,
    env: {
      FONTCONFIG_FILE: join(folder, 'fonts.conf'),
      // The system's own libraries fit the system best; the package's are for machines without them.
      ...(isMissingLibraries(executablePath) ? { LD_LIBRARY_PATH: libraries } : {}),
    },
  };
};
