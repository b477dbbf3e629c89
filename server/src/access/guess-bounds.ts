/** The bounds against guesses, and against mails and hashes of passwords that strangers cause. */
import { atMost, type Bound, day, hour, minute, per, second } from './bound.ts';

export const guessBounds = {
  wrongTokensIp: {
    key: 'network',
    buckets: [atMost(30, 10 * minute)],
    of: 'wrong METRICS_TOKENs at /metrics from an address',
    attack: 'guessing METRICS_TOKEN',
  },
  signIn: {
    key: 'network',
    buckets: [{ burst: 5, everyMs: 3 * minute }, per(100, day)],
    of: 'wrong passwords for an account as typed, known or not, from an address',
    attack: 'guessing the password of one account',
  },
  signInIp: {
    key: 'network',
    buckets: [{ burst: 20, everyMs: 10 * second }],
    of: 'sign-ins of an address, or of a device that signed in to the account before',
    attack: 'filling the processor with hashes of passwords',
  },
  signInMissesIp: {
    key: 'network',
    buckets: [atMost(30, 10 * minute)],
    of: 'wrong passwords from an address, whatever the account, of devices that never signed in to it',
    attack: 'trying one password with many accounts',
  },
  signInFar: {
    key: 'account',
    buckets: [{ burst: 20, everyMs: 3 * minute }, per(200, day)],
    of: 'wrong passwords for an account from all devices that never signed in to it',
    attack: 'guessing one password from many networks',
  },
  signInDevice: {
    key: 'account',
    buckets: [{ burst: 5, everyMs: 3 * minute }, per(100, day)],
    of: 'wrong passwords for an account from a device that signed in to it before',
    attack: 'guessing with the mark of a known device',
  },
  signUp: {
    key: 'network',
    buckets: [{ burst: 20, everyMs: 12 * minute }],
    of: 'sign-ups of an address',
    attack: 'accounts by the thousand',
  },
  resend: {
    key: 'network',
    buckets: [per(3, 10 * minute), per(10, day)],
    of: 'mails of one kind to a mailbox, known or not, asked for from an address',
    attack: 'filling the mailbox of another person',
  },
  signUpMails: {
    key: 'recipient',
    buckets: [per(20, hour), per(60, day)],
    of: 'mails about sign-ups to a mailbox, known or not, of all networks together',
    attack: 'filling a mailbox from many networks',
  },
  resetMails: {
    key: 'recipient',
    buckets: [per(1, 10 * minute), per(10, day)],
    of: 'mails with a link to a new password to a mailbox, known or not; further ones are not sent',
    attack: 'filling a mailbox with links to new passwords',
  },
  resetIp: {
    key: 'network',
    buckets: [per(20, hour)],
    of: 'new passwords asked for from an address',
    attack: 'links to new passwords of many accounts',
  },
  verify: {
    key: 'network',
    buckets: [atMost(30, 10 * minute)],
    of: 'wrong codes of mails from an address',
    attack: 'guessing the codes of mails',
  },
  operatorCode: {
    key: 'all',
    buckets: [atMost(100, day)],
    of: 'wrong codes for the first operator, from all addresses together',
    attack: 'guessing the code of the first operator from many networks',
  },
  password: {
    key: 'person',
    buckets: [{ burst: 5, everyMs: 3 * minute }, per(100, day)],
    of: 'wrong current passwords of a person',
    attack: 'guessing the password in a session that was left open',
  },
  passwordPace: {
    key: 'person',
    buckets: [{ burst: 20, everyMs: 10 * second }],
    of: 'current passwords of a person, right or wrong',
    attack: 'filling the processor with hashes of passwords in a session',
  },
  lookUpMisses: {
    key: 'person',
    buckets: [atMost(10, 10 * minute)],
    of: 'wrong codes of a person',
    attack: 'guessing the codes of rooms',
  },
  lookUpMissesIp: {
    key: 'network',
    buckets: [atMost(30, 10 * minute)],
    of: 'wrong codes of an address',
    attack: 'guessing the codes of rooms with many accounts',
  },
} as const satisfies Record<string, Bound>;
