/** Texts of moderation: one person in it, and its lock. */
import { firstName } from '../room-copy.ts';

export const personWords = {
  makeHost: 'Make host',
  asksFirst: (name: string) => `Asks ${firstName(name)} first`,
  cannotAnswer: (name: string) => `${firstName(name)} is reconnecting and can’t be asked now`,
  remove: 'Remove',
  mayAskAgain: 'May ask again after 10 minutes',
  removeQuestion: (name: string) => `Remove ${name}?`,
  removeConsequence: (name: string) =>
    `${firstName(name)} reads that the host removed them and may ask again after 10 minutes.`,
  removeForGood: (name: string) =>
    `${firstName(name)} reads that the host removed them and can’t ask to come in again.`,
  forGood: 'And don’t let back in',
  cancel: 'Cancel',
  lock: 'Lock',
  unlock: 'Unlock',
  locked: 'Locked',
} as const;
