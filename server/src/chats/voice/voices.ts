/** Voice messages of private chats: recordings, decoded and kept as one file each. */
import { limits, type PrivateMessage, type Result, type Uid } from '@tunemate/protocol';
import type { Limits } from '../../access/limits.ts';
import { accept, refuse } from '../../system/ports.ts';
import type { UploadFiles } from '../uploads/upload-files.ts';
import type { UploadsService } from '../uploads/uploads.ts';
import type { VoiceFault, VoiceReader } from './voice-reader.ts';

interface VoicesDeps {
  uploads: UploadsService;
  files: Pick<UploadFiles, 'workFile'>;
  reader: Pick<VoiceReader, 'read'>;
  limits: Limits;
}

type ChatVoice = NonNullable<PrivateMessage['voice']>;

const codeOf = {
  unreadable: 'input/unsupported',
  'too-long': 'input/too-large',
  'too-costly': 'input/unsupported',
} as const satisfies Record<VoiceFault, string>;

export function voicesService({ uploads, files, reader, limits: taken }: VoicesDeps) {
  /**
   * Stores a recording for the chat with `other`; a message then refers to it by the answer's `voiceId`. Networks take
   * turns at decoding.
   */
  async function upload(uid: Uid, other: Uid, bytes: Uint8Array, network = ''): Promise<Result<ChatVoice>> {
    if (uid === other) return refuse('input/invalid');
    const hasBehaved = await taken.peek('lostImages', uid);
    if (!hasBehaved.ok) return hasBehaved;
    return await uploads.store(weighed(bytes), {
      ...{ uid, other },
      decode: (voiceId) => decode(uid, voiceId, bytes, network),
    });
  }

  async function decode(uid: Uid, voiceId: string, bytes: Uint8Array, network: string) {
    const recorded = await files.workFile(voiceId);
    const read = await reader.read(bytes, recorded, `${recorded}.part`, network);
    if (typeof read === 'string') {
      if (read === 'too-costly') await taken.take('lostImages', uid);
      return refuse(codeOf[read]);
    }
    const { sound, durationMs, waveform } = read;
    const row = { width: 0, height: 0, voice: JSON.stringify({ durationMs, waveform }) };
    return accept({ contents: { voice: sound }, row, value: { voiceId, durationMs, waveform } });
  }

  return { upload, locate: (uid: Uid, voiceId: string) => uploads.locate(uid, 'voice', voiceId, 'voice') };
}
export type VoicesService = ReturnType<typeof voicesService>;

/** How files begin that browsers record: WebM, Ogg, and MP4, whose first box is named after its length. */
const beginnings = [
  { at: 0, bytes: '\x1A\x45\xDF\xA3' },
  { at: 0, bytes: 'OggS' },
  { at: 4, bytes: 'ftyp' },
];

/** Refuses before anything is stored. Refusals: input/too-large, input/unsupported. */
function weighed(bytes: Uint8Array): Result<object> {
  if (bytes.byteLength > limits.voiceBytes) return refuse('input/too-large');
  const head = Buffer.from(bytes.subarray(0, 8)).toString('latin1');
  return beginnings.some(({ at, bytes: begin }) => head.startsWith(begin, at))
    ? accept({})
    : refuse('input/unsupported');
}
