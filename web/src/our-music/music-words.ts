/** Texts of what two people heard together. */
import { locale, t } from '../language/t.ts';

/** '14 March 2025', in this device's zone. */
export const dateOf = (atMs: number): string => new Intl.DateTimeFormat(locale, { dateStyle: 'long' }).format(atMs);

export const numberOf = (number: number): string => new Intl.NumberFormat(locale).format(number);

/** '2 h 10 min' */
export function lengthOf(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  if (hours === 0) return t`${String(rest)} min`;
  return rest === 0 ? t`${String(hours)} h` : t`${String(hours)} h ${String(rest)} min`;
}

/** '03:47' */
export const minutesAndSeconds = (seconds: number): string =>
  [Math.floor(seconds / 60), Math.floor(seconds) % 60].map((part) => String(part).padStart(2, '0')).join(':');

export const musicWords = {
  title: t`Our music`,
  notYours: t`Our music is for tunemates and soulmates.`,
  nothingYet: (name: string) => t`Nothing yet. What you and ${name} hear in one room from now on lands here.`,
  met: (room: string, day: string, time: string) => t`${room}, where you met on ${day} at ${time}`,
  firstSong: t`First song together`,
  dayIn: (day: string, room: string) => t`${day}, ${room}`,
  play: t`Play`,
  playTrack: (name: string) => t`Play ${name}`,
  minutes: t`minutes together`,
  evenings: t`Evenings`,
  songs: t`songs you both know now`,
  weeks: t`the last 52 weeks, minutes in each`,
  weeksSay: (most: string) => t`Minutes together in each of the last 52 weeks; ${most} in the best one.`,
  now: t`Now`,
  mostHeard: t`Most heard`,
  times: t`times`,
  yearAgo: t`A year ago today`,
  nothingAgo: t`Nothing a year ago. Today will be there next year.`,
  lengthIn: (length: string, room: string) => t`${length} in ‘${room}’`,
  wentOn: (time: string) => t`It began with this and went on until ${time}.`,
  playEvening: t`Play that evening`,
  blend: t`Blend`,
  blendMeans: t`A queue of what you both like, with the reason at each song. You see it before it goes to a room.`,
  makeBlend: t`Make a blend`,
  year: t`Our year`,
  yearMeans: (year: string) => t`Cards about ${year}. Each can be kept as a picture.`,
  seeCards: t`See the cards`,
  whatWeKeep: t`What we keep`,
  keep: t`Keep what we heard together`,
  keptSince: (name: string, day: string) =>
    t`${name} keeps it too, since ${day}. If one of you stops, it is deleted for both.`,
  forget: t`Forget it all`,
  forgetQuestion: t`Forget everything you heard together?`,
  forgetMeans: (evenings: number, songs: number, name: string) =>
    t`${String(evenings)} evenings and ${String(songs)} songs are deleted at once, for you and for ${name}, and Our music starts empty. ${name} reads that you did it. It can’t be undone.`,
  forgottenBy: (name: string) => t`${name} deleted what was here before.`,
  stop: t`Stop and delete`,
  stopQuestion: (name: string) => t`Keep nothing with ${name} any more?`,
  stopMeans: (name: string) => t`All of it is deleted at once, for you and for ${name}. It can’t be undone.`,
  ended: (name: string) => t`${name} ended it, and what you heard together was deleted for both.`,
  question: (name: string) => t`Keep what you and ${name} hear together?`,
  theyAsk: (name: string) => t`${name} would like to keep what you hear together`,
  waits: (name: string) => t`${name} is asked`,
  whatIsKept: t`Songs, dates and minutes of evenings with both of you in the room.`,
  onlyYou: t`Only the two of you see it. All else that you hear still goes after 90 days.`,
  blendIs: t`A blend mixes what each of you heard in these 90 days.`,
  eitherDeletes: t`Either of you can delete it at any time, for both.`,
  isAskedToo: (name: string) => t`${name} is asked too. Nothing is kept before you have both said yes.`,
  saysNo: (name: string) => t`If you say no, ${name} reads only that nothing is kept.`,
  later: (name: string, day: string) => t`Nothing is kept. You can ask ${name} again from ${day} on.`,
  ask: (name: string) => t`Ask ${name}`,
  notNow: t`Not now`,
  takeBack: t`Take back`,
  keepIt: t`Keep it`,
  no: t`No`,
  historyOff: t`You keep no history. Switch ‘What we played’ on under Account first.`,
  backToMusic: t`Our music`,
  blendIntro: (songs: number, length: string) =>
    t`${String(songs)} songs, ${length}. Nothing plays yet: take out what does not fit, then open a room with it.`,
  noBlend: t`There is too little for a blend yet. It needs what each of you heard in the last 90 days.`,
  both: t`you both`,
  of: (name: string) => t`${name}’s`,
  reason: (who: string, when: string) => t`${who}, ${when}`,
  openRoom: t`Open a room with it`,
  another: t`Another blend`,
  intoQueue: (room: string) => t`Into the queue of ${room}`,
  inQueue: (songs: string, room: string) => t`${songs} songs are in the queue of ${room}`,
  takeOut: (name: string) => t`Take out ${name}`,
  takenOut: (name: string) => t`${name} is taken out`,
  undo: t`Undo`,
  noYear: t`Nothing was heard together in this year yet.`,
  yearOf: (year: string) => t`Our year ${year}`,
  keepPicture: t`Keep as a picture`,
  share: t`Share`,
  cards: t`Cards`,
  today: t`today`,
  yesterday: t`yesterday`,
  lastWeek: t`of last week`,
  inMonth: (month: string) => t`in ${month}`,
} as const;
