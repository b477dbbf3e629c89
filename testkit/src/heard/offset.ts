/**
 * How far one recorded listener is ahead of another: the peak of their whitened cross-correlation (GCC-PHAT), which is
 * sharp for any music since it weighs all pitches the same. Pure arithmetic over samples.
 */

/** How far `right` is ahead of `left`, and how far that peak stands out of the rest (in standard deviations). */
interface HeardOffset {
  readonly aheadMs: number;
  readonly sharpness: number;
}

/** Whitening must not raise what is nothing but rounding: pitches weaker than this share of the strongest stay weak. */
const leastShare = 1e-3;

/** Compares two stretches of the same moment, looking up to `reachMs` either way. */
export function heardOffset(left: Float64Array, right: Float64Array, sampleRate: number, reachMs: number): HeardOffset {
  let size = 1;
  while (size < left.length + right.length) size *= 2;
  const one = spectrum(left, size);
  const other = spectrum(right, size);
  const cross = whitened(one, other);
  // The conjugate's transform is the inverse's conjugate, and the correlation is real.
  transform(cross);
  const reach = Math.min(size / 2 - 1, Math.round((reachMs / 1000) * sampleRate));
  const values = Float64Array.from(
    { length: 2 * reach + 1 },
    (_, index) => cross.re[(index - reach + size) % size] ?? 0,
  );
  const best = values.reduce((at, value, index) => (value > (values[at] ?? 0) ? index : at), 0);
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  // The lag is that of `right`: a late one is behind.
  return {
    aheadMs: -((best - reach) / sampleRate) * 1000,
    sharpness: variance === 0 ? 0 : ((values[best] ?? 0) - mean) / Math.sqrt(variance),
  };
}

/** Loudness of a stretch: the root of its mean square. */
export function loudness(samples: Float64Array): number {
  return Math.sqrt(samples.reduce((sum, value) => sum + value * value, 0) / Math.max(1, samples.length));
}

const blockMs = 5;

/**
 * When the samples become silent, or loud, and are so for `forMs`: blocks of 5 ms with no more than `level`, or with more.
 * In milliseconds from the first; null where they never are.
 */
export function turnsMs(
  samples: Float64Array,
  sampleRate: number,
  { level, isLoud, forMs }: { level: number; isLoud: boolean; forMs: number },
): number | null {
  const block = Math.round((sampleRate * blockMs) / 1000);
  let run = 0;
  for (let from = 0; from + block <= samples.length; from += block) {
    run = loudness(samples.subarray(from, from + block)) > level === isLoud ? run + 1 : 0;
    if (run * blockMs >= forMs) return ((from + block) / block - run) * blockMs;
  }
  return null;
}

/** How long the longest silence is: blocks of 5 ms without more than `level`, in milliseconds. */
export function longestSilenceMs(samples: Float64Array, sampleRate: number, level: number): number {
  const block = Math.round((sampleRate * blockMs) / 1000);
  let longest = 0;
  let current = 0;
  for (let from = 0; from + block <= samples.length; from += block) {
    current = loudness(samples.subarray(from, from + block)) <= level ? current + 1 : 0;
    longest = Math.max(longest, current);
  }
  return longest * blockMs;
}

interface Complex {
  readonly re: Float64Array;
  readonly im: Float64Array;
}

function spectrum(samples: Float64Array, size: number): Complex {
  const numbers = { re: new Float64Array(size), im: new Float64Array(size) };
  numbers.re.set(samples);
  transform(numbers);
  return numbers;
}

/** The conjugate of conj(one) × other, with every pitch given the same weight. */
function whitened(one: Complex, other: Complex): Complex {
  const size = one.re.length;
  const re = new Float64Array(size);
  const im = new Float64Array(size);
  const weights = new Float64Array(size);
  for (let at = 0; at < size; at += 1) {
    const [a, b, c, d] = [one.re[at] ?? 0, one.im[at] ?? 0, other.re[at] ?? 0, other.im[at] ?? 0];
    re[at] = a * c + b * d;
    im[at] = -(a * d - b * c);
    weights[at] = Math.hypot(re[at] ?? 0, im[at] ?? 0);
  }
  const floor = leastShare * weights.reduce((most, weight) => Math.max(most, weight), 0) + Number.MIN_VALUE;
  for (let at = 0; at < size; at += 1) {
    const weight = (weights[at] ?? 0) + floor;
    re[at] = (re[at] ?? 0) / weight;
    im[at] = (im[at] ?? 0) / weight;
  }
  return { re, im };
}

/** The fast Fourier transform in place (Cooley and Tukey, radix 2); the size is a power of two. */
function transform({ re, im }: Complex): void {
  const size = re.length;
  for (let from = 1, to = 0; from < size; from += 1) {
    let bit = size >> 1;
    for (; (to & bit) !== 0; bit >>= 1) to ^= bit;
    to ^= bit;
    if (from < to) {
      [re[from], re[to]] = [re[to] ?? 0, re[from] ?? 0];
      [im[from], im[to]] = [im[to] ?? 0, im[from] ?? 0];
    }
  }
  for (let width = 2; width <= size; width *= 2) {
    const half = width / 2;
    for (let offset = 0; offset < half; offset += 1) {
      const angle = (-2 * Math.PI * offset) / width;
      const [cosine, sine] = [Math.cos(angle), Math.sin(angle)];
      for (let low = offset; low < size; low += width) {
        const high = low + half;
        const [a, b, c, d] = [re[low] ?? 0, im[low] ?? 0, re[high] ?? 0, im[high] ?? 0];
        const [x, y] = [c * cosine - d * sine, c * sine + d * cosine];
        [re[low], im[low], re[high], im[high]] = [a + x, b + y, a - x, b - y];
      }
    }
  }
}
