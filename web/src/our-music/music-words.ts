/** Texts of what two people heard together. */
import { locale, t } from '../language/t.ts';

/** '14 March 2025', in this device's zone. */
export const dateOf = (atMs: number): string => new Intl.DateTimeFormat(locale, { dateStyle: 'long' }).format(atMs);

export const numberOf = (number: number): string => new Intl.NumberFormat(locale).format(number);

/** '03:47' */
export const minutesAndSeconds = (seconds: number): string =>
  [Math.floor(seconds / 60), Math.floor(seconds) % 60].map((part) => String(part).padStart(2, '0')).join(':');

export const musicWords = {
  title: t`Our music`,
  nothingYet: (name: string) => t`Nothing yet. What you and ${name} hear in one room from now on lands here.`,
  met: (room: string, day: string, time: string) => t`${room}, where you met on ${day} at ${time}`,
  dayIn: (day: string, room: string) => t`${day}, ${room}`,
  evenings: t`Evenings`,
  weeksSay: (most: string) => t`Minutes together in each of the last 52 weeks; ${most} in the best one.`,
  lengthIn: (length: string, room: string) => t`${length} in ‘${room}’`,
  wentOn: (time: string) => t`It began with this and went on until ${time}.`,
  blend: t`Blend`,
  blendMeans: t`A queue of what you both like, with the reason at each song. You see it before it goes to a room.`,
  yearMeans: (year: string) => t`Cards about ${year}. Each can be kept as a picture.`,
  whatWeKeep: t`What we keep`,
  keptSince: (name: string, day: string) =>
    t`${name} keeps it too, since ${day}. If one of you stops, it is deleted for both.`,
  forget: t`Forget it all`,
  forgetMeans: (evenings: number, songs: number, name: string) =>
    t`${String(evenings)} evenings and ${String(songs)} songs are deleted at once, for you and for ${name}, and Our music starts empty. ${name} reads that you did it. It can’t be undone.`,
  stopMeans: (name: string) => t`All of it is deleted at once, for you and for ${name}. It can’t be undone.`,
  ended: (name: string) => t`${name} ended it, and what you heard together was deleted for both.`,
  whatIsKept: t`Songs, dates and minutes of evenings with both of you in the room.`,
  onlyYou: t`Only the two of you see it. All else that you hear still goes after 90 days.`,
  isAskedToo: (name: string) => t`${name} is asked too. Nothing is kept before you have both said yes.`,
  later: (name: string, day: string) => t`Nothing is kept. You can ask ${name} again from ${day} on.`,
  historyOff: t`You keep no history. Switch ‘What we played’ on under Account first.`,
  blendIntro: (songs: number, length: string) =>
    t`${String(songs)} songs, ${length}. Nothing plays yet: take out what does not fit, then open a room with it.`,
  noBlend: t`There is too little for a blend yet. It needs what each of you heard in the last 90 days.`,
  reason: (who: string, when: string) => t`${who}, ${when}`,
  inQueue: (songs: string, room: string) => t`${songs} songs are in the queue of ${room}`,
  inMonth: (month: string) => t`in ${month}`,
} as const;
