/**
 * Every named time, tolerance and limit of playback, in one place, with its source.
 * "Agreed" is promised to users in SPEC.md; "measured" was observed on Chromium's own media player; "chosen"
 * is our own choice, tested by simulation.flow.test.ts.
 */

/** Agreed: the drift beyond which a video player seeks. */
export const videoSeekToleranceSeconds = 2;
/** Agreed: the drift beyond which an audio player seeks. */
export const audioSeekToleranceSeconds = 1.5;
/** Agreed: debounce of the host's playback writes. */
export const writeDebounceMs = 300;
/** Agreed: how often the elapsed time is redrawn. */
export const progressPollMs = 1000;
/** Agreed: the least time between cueing a YouTube player and playing it. */
export const resumeAfterCueMs = 800;
/** Agreed: the host resynchronises this long after accepting a request to join. */
export const resyncAfterAcceptMs = 2000;

/** Chosen: a track change waits at most this long for members who are still loading. */
export const loadBarrierMs = 3000;
/** Chosen: the server sends the change at the end of a track this much ahead, */
export const changeAheadMs = 1000;
/** if every member had at least this long to load the next track. */
export const nextKnownMs = 5000;
/** Chosen: the longest time from a command to its effect. */
export const maxLeadMs = 1000;
/** Chosen: the shortest of a start or a jump, so that a player has time to be cued. */
export const minLeadMs = 150;
/** Chosen: added to the round trip in a command's lead, for jitter and for the player's own start. */
export const leadMarginMs = 120;
/**
 * Chosen: added to half the round trip in a pause's lead, for jitter. A player stops without being cued, and a page that
 * gets a pause late stops at once, so a pause needs no shortest lead.
 */
export const stopMarginMs = 20;
/** Chosen: added for a track that was just loaded, since a player's first start takes longer. */
export const firstStartMarginMs = 100;
/** Chosen: the assumed round trip of a room without a measured one. */
export const unknownRoundTripMs = 100;
/** Chosen: a round trip is reported again only when it changed by more than both of these. */
export const roundTripReportMs = 20;
export const roundTripReportShare = 0.25;

/** Chosen: probes per burst: on connecting, after sleep, and when the network or visibility changes. */
export const probeBurstCount = 12;
/** Chosen: pause between the probes of a burst; uneven multiples of it keep them out of step with periodic traffic. */
export const probeBurstSpacingMs = 35;
/** Chosen: pause between probes until so many were answered after a burst, and whenever the estimate has moved by more. */
export const probeUnsureSpacingMs = 1000;
export const probesUntilSettled = 30;
export const clockMovedMs = 0.3;
/**
 * Chosen: the longest pause; while the estimate stays where it is, the pause doubles up to this one. Each probe reports
 * whether the player is in step, so the server counts listens by this pause too.
 */
export const probeSettledSpacingMs = 30_000;
/** Chosen: a probe without an answer is followed by another after this. */
export const probeUnansweredMs = 5000;
/** Chosen: how often the two clocks of the device are compared, and the difference that means that one has stood still. */
export const clockLookMs = 1000;
export const clockStoodStillMs = 250;
/** Chosen: a probe this late means that the device slept; a new burst follows. */
export const probeSleepMs = 4000;
/**
 * Chosen: during the first burst, playback waits while the uncertainty exceeds this; a line half around the earth is
 * better.
 */
export const clockSureEnoughMs = 250;
/** Chosen: the estimate ignores probes older than this. */
export const clockWindowMs = 900_000;
/** Chosen: an estimate is current for this long after the newest answer. */
export const clockCurrentMs = 60_000;
/** Chosen: two quartz clocks may drift apart by this much per second (40 parts per million). */
export const clockSkewPerMs = 40e-6;
/** Chosen: the clock in use approaches a better estimate at this rate (ms per ms), so that positions never jump. */
export const clockSlewPerMs = 0.01;
/** Chosen: a difference beyond this is applied at once; only sleep or a suspended device causes it. */
export const clockStepMs = 120;

/** Chosen: how often a playing follower reads its player. */
export const usualTickMs = 250;
/** Chosen: the same while converging. */
export const fastTickMs = 40;

/** Chosen: the drift that starts a rate nudge on a player with fine rates. */
export const nudgeInSeconds = 0.003;
/** How rate nudges of a media element are planned. "Share" is the distance from rate 1. */
export interface NudgePlan {
  /** The usual duration, with at most this share; */
  readonly usualMs: number;
  readonly usualShare: number;
  /** a larger drift takes up to this long, and then a larger share up to this one. */
  readonly longestMs: number;
  readonly mostShare: number;
}
/**
 * Measured: a player whose pitch moves with its rate loses 2 ms of sound at most, up to 15 % off rate 1.
 * Chosen: 1 % is 17 cents, which is inaudible; 5 % is less than a semitone.
 */
export const calmNudge: NudgePlan = { usualMs: 800, usualShare: 0.01, longestMs: 4000, mostShare: 0.05 };
/** Chosen: shortly after a start or a seek, being in sync matters more than half a second's pitch. */
export const hurriedNudge: NudgePlan = { usualMs: 300, usualShare: 0.08, longestMs: 1000, mostShare: 0.12 };
/** Chosen: a nudge has failed when it leaves more than this share of the drift, and more than this much; */
export const nudgeFailedShare = 0.8;
export const nudgeFailedSeconds = 0.006;
/** one that increases the drift by this much counts as `nudgeFailures`; */
export const nudgeHarmSeconds = 0.04;
/** after this many failures in a row the player is not nudged */
export const nudgeFailures = 3;
/** for this long. */
export const nudgeRestMs = 120_000;
/** Measured: a nudge stops when the expected drift is below this. */
export const nudgeOutSeconds = 0.0015;
/** Chosen: how long nudges are hurried after a start or a seek. */
export const hurryMs = 2500;

/**
 * Chosen: the drift that starts a burst at 0.75 or 1.25 on a player with coarse rates; as small as its readings allow.
 */
export const burstInSeconds = 0.065;
/** Chosen: a burst longer than this uses the next coarser rate. */
export const burstLongestMs = 4000;

/** Chosen: after a start, a jump or a stall, a fine player may seek once for a drift beyond this. */
export const jumpSeekSeconds = 0.15;
/** Chosen: a paused player this close to its start position is not cued again; its start time shifts instead. */
export const cueSlackSeconds = 0.25;
/** Measured: a start up to this late plays at once and is nudged; a later one is in sync sooner when cued ahead. */
export const lateStartSeconds = 0.035;
/** Chosen: a player this much further ahead than it may wait is cued back. */
export const farAheadSeconds = 0.08;
/** Chosen: added to the time that a late joiner needs when its start position is cued ahead. */
export const cueMarginSeconds = 0.05;
/** Chosen: how long a cued position is assumed while the player still reports the old one. */
export const cueBelievedMs = 700;
/** Chosen: how long the position of a fine and of a coarse player is not trusted after an action. */
export const settleFineMs = 120;
export const settleCoarseMs = 600;
/**
 * Chosen: how long a seek or a start may take before it counts as a stall, or is retried. Longer than the time for
 * YouTube's frame to show an effect (4 s), by more than a late timer: a frame that refused or shows an advert must not
 * be cued again, because it would forget the play command.
 */
export const landingPatienceMs = 4500;
/** Chosen: a shorter interruption of playing is not a stall. */
export const stallMs = 250;
/** Chosen: pause after a corrective seek; doubles with each one until there was none for the second duration. */
export const seekRefractoryMs = 1000;
export const seekQuietMs = 30_000;
export const seekRefractoryMaxMs = 16_000;
/** Chosen: a player that something else paused is restarted once, but not twice within this time. */
export const foreignPauseMs = 10_000;

/** Chosen: the host's tab repeats the end of a track this often until the room reacts. */
export const endAgainMs = 2500;

/** Chosen: a stalled host holds the room after this long, */
export const holdAfterMs = 1500;
/** renews the hold this often, each time for the next few seconds, */
export const holdRenewMs = 3000;
export const holdAheadMs = 5000;
/** and gives up after this long: the room plays on and the host catches up. */
export const holdGiveUpMs = 45_000;
/** Chosen: a host further behind than this re-anchors the room; one that is closer is corrected like every member. */
export const reanchorSeconds = 0.3;
/**
 * Chosen: how long the host waits for the server to confirm a re-anchoring before it follows the old timeline again.
 */
export const reanchorPatienceMs = 2000;

/** Chosen: waits between attempts to fetch a track, the last one repeated. */
export const fetchRetriesMs: readonly number[] = [1000, 2000, 5000, 15_000, 30_000];

/** Chosen: a live stream plays this far behind its edge, so that every device has the data. */
export const liveLagSeconds = 15;

/** Chosen: how often a host's tab without control checks whether the controlling tab is gone. */
export const askForControlMs = 10_000;

/** Chosen: the limit of the per-device offset (Bluetooth). */
export const deviceOffsetLimitMs = 500;
