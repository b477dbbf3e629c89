/** Texts of the way from a room's link to the room: what the link opens, the steps of signing up, waiting for the mail. */
import type { RoomKind } from '@tunemate/protocol';

export const kindWords = {
  video: {
    ink: 'persimmon',
    room: 'Video room',
    title: 'This link opens a video room',
    what: 'Tunemate plays the same video to everybody in the room, at the same second.',
    next: 'The video room is next',
  },
  audio: {
    ink: 'marigold',
    room: 'Audio room',
    title: 'This link opens an audio room',
    what: 'Tunemate plays the same song to everybody in the room, at the same second.',
    next: 'The audio room is next',
  },
} as const satisfies Record<RoomKind, object>;

export const wayInWords = {
  steps: ['You create an account.', 'You ask to come in, and the host answers.', 'You are in the room.'],
  create: 'Create an account',
  haveOne: 'I have an account',
  back: 'Back',
  next: 'Next',
  step: (number: number) => `Step ${String(number)} of 3`,
  name: {
    title: 'What is your name?',
    hint: 'The people in the room see it.',
    after: 'Then your email, then a password.',
  },
  email: { title: 'What is your email?', hint: 'We send one link to it.', after: 'Then a password.' },
  password: { title: 'Choose a password', after: 'Then you open the link in your email.' },
} as const;

export const waitingWords = {
  goesOn: 'This page goes on by itself once you have opened the link, here or on another device.',
  number: (number: number) => `The page that it opens shows the number ${String(number)}, as this one does.`,
  over: 'This page can’t go on by itself any more. If you opened the link, log in. If not, sign up again.',
  change: 'Change the email',
} as const;
