#!/usr/bin/env -S node --disallow-code-generation-from-strings --disable-proto=delete
// Plain JavaScript on purpose: an old Node must be able to read this far to be refused in words.
const needed = 24;
if (Number(process.versions.node.split('.')[0]) < needed) {
  console.error(
    `Swath needs Node.js ${needed} or newer; this is ${process.version}. In a checkout, "npm start" brings its own.`,
  );
  process.exit(1);
}
const { main } = await import('../src/main.ts');
process.exitCode = await main(process.argv.slice(2), process.env);
