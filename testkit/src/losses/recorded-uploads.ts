/** The pictures and recordings that the recorded program stores with some of its rows, the same whenever they are asked for. */
import { endings, type FileKind } from '../../../server/src/chats/uploads/upload-files.ts';
import { m4aBytes, webpBytes } from '../media-bytes.ts';

export const uploadsFolder = 'images';

interface Uploads {
  id: string;
  contents: Partial<Record<FileKind, Buffer>>;
}

/** Of the row `n` of a writer; null where it has none. Rows that have some are not deleted. */
export function uploadsOf(writer: number, n: number): Uploads | null {
  const id = `${String(writer)}x${String(n)}`;
  const filled = (blocks: number) => `${id} `.repeat(1000 * blocks);
  if (n % 6 === 0) return { id, contents: { full: webpBytes(filled(3)), preview: webpBytes(filled(1)) } };
  return n % 6 === 3 ? { id, contents: { voice: m4aBytes(filled(2)) } } : null;
}

/** By their paths in the folder of the database. */
export function uploadedFiles(key: string): [path: string, bytes: Buffer][] {
  const [writer, n] = key.split('-').map(Number);
  const uploads = uploadsOf(writer ?? 0, n ?? 1);
  return Object.entries(uploads?.contents ?? {}).map(([kind, bytes]) => [
    `${uploadsFolder}/${uploads?.id ?? ''}.${endings[kind as FileKind]}`,
    bytes,
  ]);
}
