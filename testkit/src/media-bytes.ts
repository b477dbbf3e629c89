/** Files that are as long as their heads say, for tests to which the rest does not matter. */

export function webpBytes(rest: string): Buffer {
  const text = rest.length % 2 === 0 ? rest : `${rest} `;
  const head = Buffer.from('RIFF\0\0\0\0WEBP', 'latin1');
  head.writeUInt32LE(4 + text.length, 4);
  return Buffer.concat([head, Buffer.from(text, 'latin1')]);
}

export function m4aBytes(rest: string): Buffer {
  const part = (name: string, text: string) => {
    const head = Buffer.from(`\0\0\0\0${name}`, 'latin1');
    head.writeUInt32BE(8 + text.length, 0);
    return Buffer.concat([head, Buffer.from(text, 'latin1')]);
  };
  return Buffer.concat([part('ftyp', 'M4A '), part('mdat', rest)]);
}

/** A picture of one pixel, whole. */
export const pngPixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
