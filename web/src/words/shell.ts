/** Texts around all screens, which every page loads. */
export const shellWords = {
  backToHome: 'Back to Home',
  reconnecting: 'Reconnecting…',
  offline: 'You are offline',
  /** The server answers, and its WebSockets don't. */
  blocked: 'Something between you and the server blocks WebSockets.',
  blockedAdvice: 'Try another network, or ask the person who runs this server.',
  /** A proxy answers that the server behind it does not. */
  away: 'Tunemate is not running right now.',
  awayAdvice: 'This page goes on as soon as it is back.',
  another: 'Something else answers in place of Tunemate.',
  anotherAdvice: 'If this network wants you to sign in, do that. Then reload this page.',
  unreachableTitle: "Can't reach the server",
  unreachableLead: 'Back in step as soon as you reconnect.',
  /** A screen that was not opened before the connection was lost. */
  missingLead: 'This screen opens once you are connected again.',
  /** The server answered that it is busy or that a rate limit was reached. */
  notOpenedTitle: 'Not opened yet',
  tryAgain: 'Try Again',
  outdated: 'There is a newer Tunemate. Reload this page.',
  reload: 'Reload',
  newer: 'There is a newer Tunemate',
  takeNewer: 'Use it now',
  later: 'Later',
  wrongAddress: 'Nothing can be sent from this address. Open Tunemate at',
  wrongAddressAdvice: 'To use this address, the person who runs it can start it with',
  notFoundTitle: 'Nothing plays here',
  notFoundLead: 'This address leads nowhere.',
  mustBeLoggedIn: 'You must be logged in to access rooms',
  crashedTitle: 'This page broke',
  crashedLead: 'Reload it to go on.',
} as const;

/** Why the server can't be reached, by what answers in its place; null where nothing does. */
export const causes: Readonly<Record<'ours' | 'away' | 'another' | 'nothing', string | null>> = {
  ours: `${shellWords.blocked} ${shellWords.blockedAdvice}`,
  away: `${shellWords.away} ${shellWords.awayAdvice}`,
  another: `${shellWords.another} ${shellWords.anotherAdvice}`,
  nothing: null,
};
