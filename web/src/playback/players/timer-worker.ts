/** Runs in a worker: posts each timer's id when it is due. */
addEventListener('message', ({ data }: MessageEvent<{ id: number; delayMs: number }>) => {
  setTimeout(() => postMessage(data.id), data.delayMs);
});
