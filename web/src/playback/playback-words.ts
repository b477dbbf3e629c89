/** The player's texts. Those that differ by kind of room are arguments. */
import { t } from '../language/t.ts';

export const playbackSentences = {
  player: t`Player`,
  playing: t`Playing`,
  nowPlaying: t`Now playing`,
  paused: t`Paused`,
  live: t`LIVE`,
  elsewhere: t`Playing in another tab`,
  keysElsewhere: t`The keys of this room are on another page of yours`,
  held: t`Paused on this device`,
  backToLive: t`Back to live`,
  tapToListen: t`Tap to listen`,
  lacks: {
    picture: t`This browser cannot show the picture of this film, only play its sound. A copy in H.264 shows in every browser.`,
    sound: t`This browser cannot play the sound of this film. A copy with AAC sound plays in every browser.`,
    mute: t`This film has no sound.`,
  },
  stuckForHost: t`This track does not begin to play. Wait, or choose another one.`,
  stuck: t`This track does not begin to play on this device. Reload the page to try again.`,
} as const;
