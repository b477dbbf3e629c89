/** What is uploaded for private chats: its routes, and the rounds that delete it. */
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Limits } from '../access/limits.ts';
import type { ImageReader } from '../chats/pictures/image-reader.ts';
import { imagesRoutes } from '../chats/pictures/images-routes.ts';
import { imagesService } from '../chats/pictures/images.ts';
import { storedUploadFiles } from '../chats/uploads/stored-upload-files.ts';
import { uploadFiles } from '../chats/uploads/upload-files.ts';
import { uploadsService } from '../chats/uploads/uploads.ts';
import { type VoiceReader, voiceReader } from '../chats/voice/voice-reader.ts';
import { voicesRoutes } from '../chats/voice/voices-routes.ts';
import { voicesService } from '../chats/voice/voices.ts';
import type { AdmitFile } from '../http/routes.ts';
import type { Background } from '../system/background.ts';
import type { Ages } from '../storage/clock-steps.ts';
import type { ObjectStore } from '../system/store/object-store.ts';

const everyMs = { swept: 60 * 60 * 1000, removed: 60 * 1000 };

type Parts = Omit<Parameters<typeof uploadsService>[0], 'files'> & {
  dataDir: string;
  /** Null where the data folder holds the files. */
  store: ObjectStore | null;
  limits: Limits;
  admitFile: AdmitFile;
  reader: ImageReader;
  ages: Ages;
};

/** Answers what decodes recordings, to be closed with the server. */
export async function openUploads(
  http: FastifyInstance,
  background: Pick<Background, 'every'>,
  { dataDir, store, limits, admitFile, reader, ages, ...parts }: Parts,
): Promise<VoiceReader> {
  const folder = uploadFiles(join(dataDir, 'images'), named(parts.log));
  const files = store === null ? folder : storedUploadFiles(store, folder);
  const uploads = uploadsService({ ...parts, files });
  await http.register(imagesRoutes({ images: imagesService({ uploads, limits, reader }), admitFile }));
  const recordings = voiceReader({ log: parts.log });
  const voices = voicesService({ uploads, files, limits, reader: recordings });
  await http.register(voicesRoutes({ voices, admitFile }));
  background.every(everyMs.swept, 'chats.uploads', ages.unlessHeld(uploads.sweep));
  background.every(everyMs.removed, 'chats.deleted-uploads', () => uploads.removeGoing());
  return recordings;
}

/** Names each file once: a page asks for it again and again. */
function named(log: Parts['log']): (file: string) => void {
  const known = new Set<string>();
  return (file) => {
    if (known.has(file)) return;
    known.add(file);
    log.warn({ file, advice: 'bring it back from a backup' }, 'chat.upload-damaged');
  };
}
