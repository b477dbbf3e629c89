/**
 * Makes a picture smaller before it travels, as phones take pictures of 48 megapixels and more, and makes a JPEG or WebP
 * of other kinds that this browser can read, such as HEIC in Safari, or the first picture of a GIF.
 */

/** Wider than any screen that shows it. */
const longestPx = 2560;
/** A picture below this is sent as it is, where the server takes its kind. */
const smallBytes = 1024 * 1024;
const quality = 0.86;

/** The picture to send in place of `file`; the same file where nothing is to be done, or this browser can't read it. */
export async function shrinkPicture(file: File, takenTypes: readonly string[], longest = longestPx): Promise<File> {
  const isTaken = takenTypes.includes(file.type);
  if ((isTaken && file.size <= smallBytes && longest === longestPx) || !mayBePicture(file)) return file;
  try {
    const picture = await createImageBitmap(file, { imageOrientation: 'from-image' });
    const smaller = await drawn(picture, longest, file.type);
    picture.close();
    const isWorth = smaller !== null && takenTypes.includes(smaller.type) && (!isTaken || smaller.size < file.size);
    return isWorth ? new File([smaller], file.name, { type: smaller.type }) : file;
  } catch {
    return file;
  }
}

/** Some systems know no type for HEIC. */
const mayBePicture = ({ type }: File): boolean => type.startsWith('image/') || type === '';

/** WebP keeps what is transparent; browsers that can't write it make a PNG instead. */
async function drawn(picture: ImageBitmap, longest: number, type: string): Promise<Blob | null> {
  const scale = Math.min(1, longest / Math.max(picture.width, picture.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(picture.width * scale));
  canvas.height = Math.max(1, Math.round(picture.height * scale));
  canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  const mayBeTransparent = type === 'image/png' || type === 'image/webp' || type === 'image/gif';
  return new Promise((resolve) => {
    canvas.toBlob(resolve, mayBeTransparent ? 'image/webp' : 'image/jpeg', quality);
  });
}
