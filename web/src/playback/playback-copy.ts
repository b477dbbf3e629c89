/** What the player says. Words that differ by kind of room arrive as arguments. */
export const playbackSentences = {
  player: 'Player',
  playing: 'Playing',
  nowPlaying: 'Now playing',
  paused: 'Paused',
  live: 'LIVE',
  playsFromNow: 'Plays from now',
  elsewhere: 'Playing in another tab',
  takeOver: 'Take over',
  held: 'Paused on this device',
  backToLive: 'Back to live',
  tapToListen: 'Tap to listen',
  hostAway: 'Host is reconnecting…',
  notFetched: 'This track could not be fetched. Trying again…',
  cannotPlayHere: 'This track cannot be played on this device.',
  queue: 'Queue',
  queueEmpty: 'Nothing queued yet. Search and choose something.',
} as const;

/** 'Mara is playing for everyone': who leads, for those who cannot. */
export function playingForEveryone(hostName: string): string {
  const first = hostName.split(/\s/u)[0] ?? hostName;
  return `${first} is playing for everyone`;
}

/** 'Velvet Hour cannot be played. YouTube does not allow it here.' */
export function trackFailed(title: string, code: string): string {
  return `${title} cannot be played. ${why[code] ?? why['unsupported']}`;
}

const why: Readonly<Record<string, string>> = {
  invalid: 'The link is not right.',
  unsupported: 'The player does not know how.',
  'not-found': 'It is not there any more.',
  'not-embeddable': 'Its owner does not allow it outside YouTube.',
  refused: 'YouTube refused this page.',
};
