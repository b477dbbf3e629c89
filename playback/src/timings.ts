/**
 * Every named time, tolerance and limit of playback, in one place, with its source.
 * "Agreed" is promised to users and stands in SPEC.md; "measured" was observed on Chromium's own media player; "chosen"
 * is ours and is defended by simulation.test.ts. Decides nothing itself.
 */

/** Agreed: a video listener is moved by a seek only when further off than this. */
export const videoSeekToleranceSeconds = 2;
/** Agreed: an audio listener is moved by a seek only when further off than this. */
export const audioSeekToleranceSeconds = 1.5;
/** Agreed: the host's playback writes are debounced by this much. */
export const writeDebounceMs = 300;
/** Agreed: how often elapsed time is shown anew. */
export const progressPollMs = 1000;
/** Agreed: how long after cueing a YouTube player may be told to play. */
export const resumeAfterCueMs = 800;
/** Agreed: the host resynchronises this long after accepting somebody. */
export const resyncAfterAcceptMs = 2000;

/** Chosen: a track change waits for those who are still loading, but never longer. */
export const loadBarrierMs = 3000;
/** Chosen: the change at the end of a track is told so long before it, */
export const changeAheadMs = 1000;
/** where everybody had at least this long to load the next track. */
export const nextKnownMs = 5000;
/** Chosen: commands never take effect further ahead than this. */
export const maxLeadMs = 1000;
/** Chosen: nor closer than this, so that a player has time to be cued. */
export const minLeadMs = 150;
/** Chosen: what a command's lead adds to the round trip, for jitter and for the player's own start. */
export const leadMarginMs = 120;
/** Chosen: what the start of a track that was just loaded is given on top, since players take longer for their first. */
export const firstStartMarginMs = 100;
/** Chosen: the round trip of a room in which nobody has measured one yet. */
export const unknownRoundTripMs = 100;
/** Chosen: a round trip is reported anew only when it changed by more than both of these. */
export const roundTripNewsMs = 20;
export const roundTripNewsShare = 0.25;

/** Chosen: probes sent at once on connecting, after sleep, and when the network or visibility changes. */
export const probeBurstCount = 12;
/** Chosen: pause between the probes of a burst; uneven multiples of it keep them out of step with periodic traffic. */
export const probeBurstSpacingMs = 35;
/** Chosen: pause between probes while the clock is still uncertain. */
export const probeUnsureSpacingMs = 1000;
/** Chosen: pause between probes once the clock is good. */
export const probeSteadySpacingMs = 5000;
/** Chosen: a probe that is this late means that the device slept; a new burst follows. */
export const probeSleepMs = 4000;
/** Chosen: a clock known this well needs only sparse probes. */
export const clockGoodUncertaintyMs = 8;
/** Chosen: nothing starts by a clock known worse than this while the first burst lasts; a line as far as half the earth does better. */
export const clockSureEnoughMs = 250;
/** Chosen: probes older than this are forgotten. */
export const clockWindowMs = 60_000;
/** Chosen: two quartz clocks may drift apart by this much per second (40 parts per million). */
export const clockSkewPerMs = 40e-6;
/** Chosen: the clock in use follows a better estimate at this rate (ms per ms), so that positions never jump. */
export const clockSlewPerMs = 0.01;
/** Chosen: beyond this the estimate is taken over at once; only sleep or a suspended device gets here. */
export const clockStepMs = 120;

/** Chosen: how often a playing follower reads its player. */
export const usualTickMs = 250;
/** Chosen: how often it reads while converging. */
export const fastTickMs = 40;

/** Chosen: a drift of this much starts a rate nudge on a player with fine rates. */
export const nudgeInSeconds = 0.003;
/** How nudges of own media are planned. */
export interface NudgePlan {
  /** A nudge lasts so long, up to this share off rate 1; */
  readonly usualMs: number;
  readonly usualShare: number;
  /** longer than that, up to this; then it runs further off rate 1, and never further than the last. */
  readonly longestMs: number;
  readonly mostShare: number;
}
/**
 * Measured: a player whose pitch moves with its rate loses 2 ms of sound at most, up to 15 % off rate 1.
 * Chosen: 1 % is 17 cents, which nobody hears; 5 % is less than a semitone.
 */
export const calmNudge: NudgePlan = { usualMs: 800, usualShare: 0.01, longestMs: 4000, mostShare: 0.05 };
/** Chosen: shortly after a start or a seek being in step matters more than half a second's pitch. */
export const hurriedNudge: NudgePlan = { usualMs: 300, usualShare: 0.08, longestMs: 1000, mostShare: 0.12 };
/** Chosen: a nudge that leaves more than this share of the drift, and more than this much of it, has failed; */
export const nudgeFailedShare = 0.8;
export const nudgeFailedSeconds = 0.006;
/** one that puts it this much further off counts for as many as it takes; */
export const nudgeHarmSeconds = 0.04;
/** after this many in a row the player is not nudged */
export const nudgeFailures = 3;
/** for this long. */
export const nudgeRestMs = 120_000;
/** Measured: a nudge stops when the drift is expected to be inside this. */
export const nudgeOutSeconds = 0.0015;
/** Chosen: how long after a start or a seek nudges are hurried. */
export const hurryMs = 2500;

/** Chosen: drift that starts a burst at 0.75 or 1.25 on a player with coarse rates; as small as its readings allow. */
export const burstInSeconds = 0.065;
/** Chosen: a burst that would take longer than this uses the next coarser rate. */
export const burstLongestMs = 4000;

/** Chosen: right after a start, a jump or a stall, a fine player may seek for a drift beyond this, once. */
export const jumpSeekSeconds = 0.15;
/** Chosen: a paused player this near to where it must start is not cued again; its start is shifted instead. */
export const cueSlackSeconds = 0.25;
/** Measured: a start that comes this late is played at once and nudged; later ones are in step sooner when cued ahead. */
export const lateStartSeconds = 0.035;
/** Chosen: a player that stands this much further ahead than it may wait is cued back. */
export const farAheadSeconds = 0.08;
/** Chosen: how far past the time it needs a late joiner is cued ahead. */
export const cueMarginSeconds = 0.05;
/** Chosen: how long a cued position is believed while the player still reports the old one. */
export const cueBelievedMs = 700;
/** Chosen: how long a fine and a coarse player's position is not trusted after an action. */
export const settleFineMs = 120;
export const settleCoarseMs = 600;
/**
 * Chosen: how long a seek or a start may take before it counts as a stall, or is tried again. Longer than YouTube's frame
 * is given to show an effect (4 s) by more than a timer is late: one that was refused, or shows an advert, must not be
 * cued anew, which would forget that it was asked to play.
 */
export const landingPatienceMs = 4500;
/** Chosen: a pause in playing shorter than this is not a stall. */
export const stallMs = 250;
/** Chosen: pause after a corrective seek; doubles with each one until a quiet spell of the second duration. */
export const seekRefractoryMs = 1000;
export const seekQuietMs = 30_000;
export const seekRefractoryMaxMs = 16_000;
/** Chosen: something else paused the player: it is started again once, but not twice within this. */
export const foreignPauseMs = 10_000;

/** Chosen: the end of a track that the room has not answered is told again after this long, over and over. */
export const endAgainMs = 2500;

/** Chosen: a stalled host makes the room wait after this long, */
export const holdAfterMs = 1500;
/** announces it anew this often, each time for the next few seconds, */
export const holdRenewMs = 3000;
export const holdAheadMs = 5000;
/** and gives up after this long: the room plays on and the host catches up. */
export const holdGiveUpMs = 45_000;
/** Chosen: a host that fell behind by less is brought back like everybody else; by more, the room is re-anchored to it. */
export const reanchorSeconds = 0.3;
/** Chosen: how long the host waits for its own re-anchoring to come back before it follows the old timeline again. */
export const reanchorPatienceMs = 2000;

/** Chosen: a track that could not be fetched is tried again after these waits, the last one over and over. */
export const fetchRetriesMs: readonly number[] = [1000, 2000, 5000, 15_000, 30_000];

/** Chosen: a live stream is played this far behind its edge, so that everybody's device has the data. */
export const liveLagSeconds = 15;

/** Chosen: how often a host's tab without control asks whether the tab that holds it is gone. */
export const askForControlMs = 10_000;

/** Chosen: per-device offsets (Bluetooth) beyond this make no sense. */
export const deviceOffsetLimitMs = 500;
