/**
 * The program that draws the pictures of links, run as the one is that decodes pictures (image-reader.ts): the library
 * that draws is native code, which stays out of the serving process. What it is sent are drawings of the server's own.
 */
import sharp from 'sharp';

sharp.concurrency(1);
sharp.cache(false);

process.on('disconnect', () => process.exit());
// Ctrl+C reaches every process of the terminal; the server ends this one.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);

process.on('message', (svg: Uint8Array) => {
  void sharp(svg)
    .png()
    .toBuffer()
    .then(
      (full) => process.send?.({ full }),
      () => process.send?.(null),
    );
});
process.send?.('ready');
