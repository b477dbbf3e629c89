/** Texts of recording and hearing voice messages. */
import { t } from '../../language/t.ts';
import type { NoMicrophone } from './recorder.ts';

export const voiceWords = {
  recording: t`Recording`,
  recorded: t`Recorded`,
  keys: t`Recording. Enter sends, Escape cancels.`,
  letGo: t`Let go to send. Lock to record with your hands free.`,
  ready: t`Listen to it, send it, or cancel.`,
  stop: t`Stop and listen`,
  listen: t`Listen`,
  pause: t`Pause`,
  cancel: t`Cancel`,
  lock: t`Lock`,
  send: t`Send`,
  tryAgain: t`Try again`,
  hold: t`Hold to record`,
  tooShort: t`Too short: nothing was sent.`,
  notSent: t`The voice message was not sent.`,
  notSentTo: (name: string) => t`The voice message to ${name} was not sent.`,
  tooLong: t`A voice message lasts at most two minutes.`,
  unsupported: t`The server can’t read this recording.`,
  cannotWrite: t`It can’t be delivered now.`,
  left: (seconds: number) => t`${String(seconds)} seconds left`,
  ended: t`The two minutes are over.`,
  impossible: {
    refused: t`Tunemate may not use the microphone. Allow it in the browser’s settings for this page, then try again.`,
    none: t`This device has no microphone.`,
    unable: t`This browser can’t record here. Open Tunemate over https in a current browser.`,
  } satisfies Record<NoMicrophone, string>,
  play: (time: string) => t`Play voice message, ${time}`,
  pauseVoice: (time: string) => t`Pause voice message, ${time}`,
  position: t`Position`,
  positionOf: (at: string, of: string) => t`${at} of ${of}`,
  speed: (rate: string) => t`Speed ${rate}x`,
  notPlayed: t`Not played yet`,
  notHeard: t`It did not load.`,
} as const;
