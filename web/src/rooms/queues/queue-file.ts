/** Saved queues as files: sent to the server, which knows what their lines mean, and fetched from it. Never throws. */
import { limits, queueFileBytes, type QueueFromFile, type Result, type RoomKind } from '@tunemate/protocol';
import { attempts } from '../../connection/attempts.ts';
import { refusedBy } from '../../connection/http.ts';
import { upload } from '../../connection/upload.ts';

/** Systems know this kind of file by different types, and some by none. */
const fileType = 'audio/x-mpegurl';
/** Of the browser's file dialog. */
export const pickedFiles = `.m3u8,.m3u,${fileType},application/vnd.apple.mpegurl`;

/** How PLS, what is written in XML or JSON, and pages begin: their lines are no tracks. */
const otherKind = /^\s*(?:\[playlist\]|[<{])/iu;

const reading = attempts();

/** The queue is called as the file is, or `otherwise` where that is no name. */
export async function sendQueueFile(
  fetch: typeof globalThis.fetch,
  file: File,
  kind: RoomKind,
  otherwise: string,
): Promise<Result<QueueFromFile & { name: string }>> {
  if (file.size > queueFileBytes) return { ok: false, error: { code: 'input/too-large' } };
  if (otherKind.test(await file.slice(0, 64).text())) return { ok: false, error: { code: 'input/unsupported' } };
  const named = Array.from(file.name.replace(/\.\w{1,5}$/u, '').trim());
  const name = named.slice(0, limits.queueNameLength).join('') || otherwise;
  const answer = await reading<QueueFromFile>([kind, file.name, file.size, file.lastModified], (clientId) => {
    const asked = new URLSearchParams({ kind, name, clientId });
    return upload(fetch, `/api/queues/m3u8?${asked.toString()}`, new Blob([file], { type: fileType }));
  });
  return answer.ok ? { ok: true, value: { ...answer.value, name } } : answer;
}

export async function fetchQueueFile(fetch: typeof globalThis.fetch, queueId: string): Promise<Result<Blob>> {
  try {
    const answer = await fetch(`/api/queues/${encodeURIComponent(queueId)}/m3u8`, { credentials: 'same-origin' });
    // Something between may answer in the server's place.
    const isFile = answer.ok && answer.headers.get('content-type')?.startsWith(fileType);
    return isFile ? { ok: true, value: await answer.blob() } : await refusedBy(answer);
  } catch {
    return { ok: false, error: { code: 'server/unavailable' } };
  }
}
