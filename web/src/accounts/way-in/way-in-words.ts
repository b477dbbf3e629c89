/** Texts of the way from a room's link to the room: what the link opens, the steps of signing up. */
import type { RoomKind } from '@tunemate/protocol';
import { t } from '../../language/t.ts';

export const kindWords = {
  video: {
    ink: 'persimmon',
    room: t`Video room`,
    title: t`This link opens a video room`,
    what: t`Tunemate plays the same video to everybody in the room, at the same second.`,
    next: t`The video room is next`,
  },
  audio: {
    ink: 'marigold',
    room: t`Audio room`,
    title: t`This link opens an audio room`,
    what: t`Tunemate plays the same song to everybody in the room, at the same second.`,
    next: t`The audio room is next`,
  },
} as const satisfies Record<RoomKind, object>;

export const wayInWords = {
  steps: [t`You create an account.`, t`You ask to come in, and the host answers.`, t`You are in the room.`],
  back: t`Back`,
  step: (number: number) => t`Step ${String(number)} of 3`,
  name: {
    title: t`What is your name?`,
    hint: t`The people in the room see it.`,
    after: t`Then your email, then a password.`,
  },
  email: { title: t`What is your email?`, hint: t`We send one link to it.`, after: t`Then a password.` },
  password: { title: t`Choose a password`, after: t`Then you open the link in your email.` },
} as const;
