/** Runs in a worker of its own: answers each timer's number when its time has come. */
addEventListener('message', ({ data }: MessageEvent<{ id: number; delayMs: number }>) => {
  setTimeout(() => postMessage(data.id), data.delayMs);
});
