/** The values in the pixels of a picture. */

/** The pixels of a picture as they were sent: neither mixed with their alpha nor moved to another colour space. */
export const readPixels = async (picture: Blob): Promise<ImageData> => {
  const bitmap = await createImageBitmap(picture, {
    premultiplyAlpha: 'none',
    colorSpaceConversion: 'none',
  });
  const { width, height } = bitmap;
  const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
  if (context === null) throw new Error('This browser cannot read the pixels of pictures.');
  context.drawImage(bitmap, 0, 0);
  bitmap.close();
  return context.getImageData(0, 0, width, height);
};
