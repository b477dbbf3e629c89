/** Texts of recording and hearing voice messages. */
import { t } from '../../language/t.ts';
import type { NoMicrophone } from './recorder.ts';

export const voiceWords = {
  recording: t`Recording`,
  recorded: t`Recorded`,
  cancel: t`Cancel`,
  tryAgain: t`Try again`,
  notSentTo: (name: string) => t`The voice message to ${name} was not sent.`,
  left: (seconds: number) => t`${String(seconds)} seconds left`,
  impossible: {
    refused: t`Tunemate may not use the microphone. Allow it in the browser’s settings for this page, then try again.`,
    none: t`This device has no microphone.`,
    busy: t`Another program uses the microphone. Close it there, then try again.`,
    unable: t`This browser can’t record here. Open Tunemate over https in a current browser.`,
  } satisfies Record<NoMicrophone, string>,
  play: (time: string) => t`Play voice message, ${time}`,
  pauseVoice: (time: string) => t`Pause voice message, ${time}`,
  positionOf: (at: string, of: string) => t`${at} of ${of}`,
  speed: (rate: string) => t`Speed ${rate}x`,
} as const;
