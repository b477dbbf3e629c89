/**
 * How fast a recording is, from where it becomes louder: the distance at which its onsets repeat best. Good enough to
 * keep neighbours alike, and no more: half and double are told apart by what most music does, and free time has no tempo.
 */

/** Onsets a second. */
const perSecond = 100;
/** The middle of a long recording says enough. */
const mostSeconds = 120;
const [slowest, fastest] = [60, 200];
/** What most music is near, in beats a minute, and how far from it, in octaves. */
const [usual, spread] = [115, 0.8];
/** Onsets that repeat less than this share of all have no tempo. */
const steady = 0.12;
/** Shorter recordings repeat too seldom. */
const fewestSeconds = 12;

/** Beats a minute of signed 8-bit sound with so many samples a second; 0 where there is no steady beat. */
export function tempoOf(samples: Int8Array, rate: number): number {
  const onsets = onsetsOf(samples, Math.round(rate / perSecond));
  if (onsets.length < fewestSeconds * perSecond) return 0;
  const alike = (lag: number): number => {
    let sum = 0;
    for (let at = lag; at < onsets.length; at += 1) sum += (onsets[at] ?? 0) * (onsets[at - lag] ?? 0);
    return sum / (onsets.length - lag);
  };
  const all = alike(0);
  if (all <= 0) return 0;
  const [shortest, longest] = [fastest, slowest].map((beats) => Math.round((60 * perSecond) / beats)) as [
    number,
    number,
  ];
  const likeness = Array.from({ length: longest + 2 }, (_, lag) => (lag < shortest - 1 ? 0 : alike(lag)));
  let best = { score: 0, lag: 0 };
  for (let lag = shortest; lag <= longest; lag += 1) {
    const isPeak = at(likeness, lag) >= at(likeness, lag - 1) && at(likeness, lag) >= at(likeness, lag + 1);
    const octaves = Math.log2((60 * perSecond) / lag / usual) / spread;
    const score = (at(likeness, lag) + alike(2 * lag) / 2) * Math.exp(-(octaves ** 2) / 2);
    if (isPeak && score > best.score) best = { score, lag };
  }
  if (best.lag === 0 || at(likeness, best.lag) < steady * all) return 0;
  return Math.round((600 * perSecond) / peakNear(likeness, best.lag)) / 10;
}

const at = (values: readonly number[], index: number): number => values[index] ?? 0;

/** Where the top of a peak is, between its samples. */
function peakNear(values: readonly number[], index: number): number {
  const [before, top, behind] = [at(values, index - 1), at(values, index), at(values, index + 1)];
  const bend = before - 2 * top + behind;
  return bend === 0 ? index : index + (before - behind) / bend / 2;
}

/** How much louder each hundredth of a second is than the one before, above what is usual around it. */
function onsetsOf(samples: Int8Array, step: number): Float64Array {
  const count = Math.min(Math.floor(samples.length / step), mostSeconds * perSecond);
  const from = Math.floor((samples.length / step - count) / 2) * step;
  const rises = new Float64Array(count);
  let before = 0;
  for (let frame = 0; frame < count; frame += 1) {
    let sum = 0;
    for (let sample = 0; sample < step; sample += 1) sum += (samples[from + frame * step + sample] ?? 0) ** 2;
    const loud = Math.sqrt(sum);
    rises[frame] = Math.max(0, loud - before);
    before = loud;
  }
  const around = perSecond / 2;
  const onsets = new Float64Array(count);
  let sum = 0;
  for (let frame = -around; frame < count; frame += 1) {
    sum += (rises[frame + around] ?? 0) - (rises[frame - around - 1] ?? 0);
    if (frame >= 0) onsets[frame] = Math.max(0, (rises[frame] ?? 0) - sum / (2 * around + 1));
  }
  // Without their mean, as sounds that repeat nothing are alike at no distance.
  const mean = onsets.reduce((all, each) => all + each, 0) / Math.max(1, count);
  return onsets.map((each) => each - mean);
}
