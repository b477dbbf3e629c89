/**
 * Every named time, tolerance and limit of playback, in one place, with its source.
 * "spec" is the product's specification (sections 4 and 9); "measured" was observed on Chromium's own media player;
 * "chosen" is ours and is defended by simulation.test.ts. Decides nothing itself.
 */

/** Spec: a video listener is moved by a seek only when further off than this. */
export const VIDEO_SEEK_TOLERANCE_SECONDS = 2;
/** Spec: an audio listener is moved by a seek only when further off than this. */
export const AUDIO_SEEK_TOLERANCE_SECONDS = 1.5;
/** Spec: the host's playback writes are debounced by this much. */
export const WRITE_DEBOUNCE_MS = 300;
/** Spec: how often elapsed time is shown anew. */
export const PROGRESS_POLL_MS = 1000;
/** Spec: first synchronisation after a follower's player is ready. */
export const FIRST_SYNC_MS = 500;
/** Spec: first synchronisation after the host's player is ready. */
export const HOST_FIRST_SYNC_MS = 1000;
/** Spec: how long after cueing a YouTube player may be told to play. */
export const RESUME_AFTER_CUE_MS = 800;
/** Spec: the host resynchronises this long after accepting somebody. */
export const RESYNC_AFTER_ACCEPT_MS = 2000;

/** Chosen: a track change waits for those who are still loading, but never longer. */
export const LOAD_BARRIER_MS = 3000;
/** Chosen: commands never take effect further ahead than this. */
export const MAX_LEAD_MS = 1000;
/** Chosen: nor closer than this, so that a player has time to be cued. */
export const MIN_LEAD_MS = 150;
/** Chosen: what a command's lead adds to the round trip, for jitter and for the player's own start. */
export const LEAD_MARGIN_MS = 120;

/** Chosen: probes sent at once on connecting, after sleep, and when the network or visibility changes. */
export const PROBE_BURST_COUNT = 12;
/** Chosen: pause between the probes of a burst; uneven multiples of it keep them out of step with periodic traffic. */
export const PROBE_BURST_SPACING_MS = 35;
/** Chosen: pause between probes while the clock is still uncertain. */
export const PROBE_UNSURE_SPACING_MS = 1000;
/** Chosen: pause between probes once the clock is good. */
export const PROBE_STEADY_SPACING_MS = 5000;
/** Chosen: a probe that is this late means that the device slept; a new burst follows. */
export const PROBE_SLEEP_MS = 4000;
/** Chosen: a clock known this well needs only sparse probes. */
export const CLOCK_GOOD_UNCERTAINTY_MS = 8;
/** Chosen: probes older than this are forgotten. */
export const CLOCK_WINDOW_MS = 60_000;
/** Chosen: two quartz clocks may drift apart by this much per second (40 parts per million). */
export const CLOCK_SKEW_PER_MS = 40e-6;
/** Chosen: the clock in use follows a better estimate at this rate (ms per ms), so that positions never jump. */
export const CLOCK_SLEW_PER_MS = 0.01;
/** Chosen: beyond this the estimate is taken over at once; only sleep or a suspended device gets here. */
export const CLOCK_STEP_MS = 120;

/** Chosen: how often a playing follower reads its player. */
export const TICK_MS = 250;
/** Chosen: how often it reads while converging. */
export const FAST_TICK_MS = 60;

/** Measured: a drift of this much starts a rate nudge. */
export const NUDGE_IN_SECONDS = 0.006;
/** Measured: a nudge stops when the drift is expected to be inside this. */
export const NUDGE_OUT_SECONDS = 0.0015;
