/**
 * The picture library, when a picture needs it: few do, and loading it takes each thread 60 ms. It gets few resources: a pixel
 * thread does one thing at a time, and has a cache of its own for blocks.
 */
export async function loadSharp() {
  const { default: sharp } = await import('sharp');
  sharp.cache(false);
  sharp.concurrency(1);
  return sharp;
}
