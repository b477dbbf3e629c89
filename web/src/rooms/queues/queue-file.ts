/** Saved queues as files: sent to the server, which knows what their lines mean, and fetched from it. Never throws. */
import { limits, queueFileBytes, type QueueFromFile, type Result, type RoomKind } from '@tunemate/protocol';
import { refusedBy } from '../../connection/http.ts';
import { newClientId } from '../../connection/ids.ts';
import { upload } from '../../connection/upload.ts';

/** Systems know this kind of file by different types, and some by none. */
const fileType = 'audio/x-mpegurl';
/** Of the browser's file dialog. */
export const pickedFiles = `.m3u8,.m3u,${fileType},application/vnd.apple.mpegurl`;

/** The queue is called as the file is, or `otherwise` where that is no name. */
export async function sendQueueFile(
  fetch: typeof globalThis.fetch,
  file: File,
  kind: RoomKind,
  otherwise: string,
): Promise<Result<QueueFromFile & { name: string }>> {
  if (file.size > queueFileBytes) return { ok: false, error: { code: 'input/too-large' } };
  const named = Array.from(file.name.replace(/\.\w{1,5}$/u, '').trim());
  const name = named.slice(0, limits.queueNameLength).join('') || otherwise;
  const asked = new URLSearchParams({ kind, name, clientId: newClientId() });
  const body = new Blob([file], { type: fileType });
  const answer = await upload<QueueFromFile>(fetch, `/api/queues/m3u8?${asked.toString()}`, body);
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
